r"""Spaces of a text in the MISC column of its tokens, as UDPipe writes them, and the text again from there.

`SpaceAfter=No` says that nothing follows a token, `SpacesAfter=\s\n` what follows it where that is not one space,
`SpacesBefore=` what stands before the first token of a text, `SpacesInToken=` a token with spaces that no cell can
hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from headway.data.sentence import Sentence

MEANINGS = {r"\s": " ", r"\t": "\t", r"\r": "\r", r"\n": "\n", r"\p": "|", r"\\": "\\", r"\0": "\0"}
ESCAPED = re.compile(r"\\[strnp\\0]")


def plain(value: str) -> str:
    """The text that a value of MISC stands for."""
    return ESCAPED.sub(lambda match: MEANINGS[match.group()], value)


def values_of(misc: str) -> dict[str, str]:
    """The values of a MISC cell by their names."""
    return {name: value for name, _, value in (entry.partition("=") for entry in misc.split("|"))}


class SurfaceToken(NamedTuple):
    """A token as it is written, its MISC, and the words that it stands for, if there are several."""

    form: str
    misc: str = "_"
    words: tuple[str, ...] = ()

    @property
    def spaces(self) -> str:
        """The spaces behind it."""
        values = values_of(self.misc)
        return plain(values.get("SpacesAfter", "" if values.get("SpaceAfter") == "No" else " "))


def surface_tokens(sentence: Sentence) -> list[SurfaceToken]:
    """The tokens of a sentence as they are written: multiword tokens, not their words."""
    forms, misc, spans = sentence.forms, sentence.misc, {span.first: span for span in sentence.multiwords}
    tokens, number = [], 1
    while number <= len(forms):
        if span := spans.get(number):
            tokens.append(SurfaceToken(span.form, span.misc, tuple(forms[number - 1 : span.last])))
            number = span.last + 1
        else:
            tokens.append(SurfaceToken(forms[number - 1], misc[number - 1]))
            number += 1
    return tokens


def original_text(sentences: Iterable[Sentence] | Sentence) -> str:
    """The text that sentences were made of, character for character, as far as MISC tells of its spaces."""
    pieces: list[str] = []
    for sentence in [sentences] if isinstance(sentences, Sentence) else sentences:
        for token in surface_tokens(sentence):
            values = values_of(token.misc)
            spelled = plain(values.get("SpacesInToken", "")) or token.form
            pieces += (plain(values.get("SpacesBefore", "")), spelled, token.spaces)
    return "".join(pieces)
