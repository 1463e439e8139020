r"""Spaces of a text in the MISC column of its tokens, as UDPipe writes them, and the text again from there.

`SpaceAfter=No` says that nothing follows a token, `SpacesAfter=\s\n` what follows it where that is not one space,
`SpacesBefore=` what stands before the first token of a text, `SpacesInToken=` a token with spaces that no cell can
hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from headway.data.sentence import Sentence

ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\", "\0": r"\0"}
MEANINGS = {escape: character for character, escape in ESCAPES.items()}
ESCAPED = re.compile(r"\\[strnp\\0]")
NO_SPACE = "SpaceAfter=No"


def escaped(text: str) -> str:
    """Text as a value of MISC."""
    return "".join(ESCAPES.get(character, character) for character in text)


def plain(value: str) -> str:
    """The text that a value of MISC stands for."""
    return ESCAPED.sub(lambda match: MEANINGS[match.group()], value)


def values_of(misc: str) -> dict[str, str]:
    """The values of a MISC cell by their names."""
    return {name: value for name, _, value in (entry.partition("=") for entry in misc.split("|"))}


def after(misc: str) -> str:
    """The spaces behind a token."""
    if misc == "_":
        return " "
    values = values_of(misc)
    if "SpacesAfter" in values:
        return plain(values["SpacesAfter"])
    return "" if values.get("SpaceAfter") == "No" else " "


def surface_tokens(sentence: Sentence) -> list[tuple[str, str]]:
    """The tokens of a sentence as they are written, with their MISC: multiword tokens, not their words."""
    tokens: list[tuple[str, str]] = []
    spans = {span.first: span for span in sentence.multiwords}
    last = 0
    for number, (form, misc) in enumerate(zip(sentence.forms, sentence.misc, strict=True), 1):
        if number in spans:
            last = spans[number].last
            tokens.append((spans[number].form, spans[number].misc))
        elif number > last:
            tokens.append((form, misc))
    return tokens


def text_of(sentences: Iterable[Sentence] | Sentence) -> str:
    """The text that sentences were made of, character for character, as far as MISC tells of its spaces."""
    pieces: list[str] = []
    for sentence in [sentences] if isinstance(sentences, Sentence) else sentences:
        for form, misc in surface_tokens(sentence):
            values = values_of(misc)
            pieces += (plain(values.get("SpacesBefore", "")), plain(values.get("SpacesInToken", "")) or form)
            pieces.append(after(misc))
    return "".join(pieces)
