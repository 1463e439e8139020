"""Where the tokens of sentences stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from headway.base.errors import HeadwayError, shown
from headway.data.batch import Batch
from headway.data.parts import Spans
from headway.data.sentence import Sentence, views

ODD_SPACES = "\0\ufeff"
"""NUL, which no treebank can hold, and the byte-order mark."""
ALL_SPACES = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ODD_SPACES
SHOWN = 20
"""So many characters of a text stand in a message."""


def is_space(character: str) -> bool:
    """Whether a character separates tokens and belongs to none."""
    return character in ALL_SPACES


def places_of(text: str, forms: Iterable[str], at: int = 0) -> Iterator[tuple[int, int]]:
    """Where forms begin and end in a text, one after the other, from a place on; none from the first that is not there.

    Nothing but spaces may stand between them. A space in a form stands for several.
    """
    for form in forms:
        while at < len(text) and is_space(text[at]) and not text.startswith(form, at):
            at += 1
        begin = at
        for number, piece in enumerate([form] if text.startswith(form, at) else form.split(" ")):
            if number and not (at < len(text) and is_space(text[at])):
                return
            while number and at < len(text) and is_space(text[at]):
                at += 1
            if not text.startswith(piece, at):
                return
            at += len(piece)
        yield begin, at


def placed(batches: Sequence[Batch], text: str) -> tuple[Batch, ...]:
    """The batches with where their words stand in a text; refused where it is not the text of these sentences."""
    found, at = [], 0
    for batch in batches:
        places: list[tuple[int, int]] = []
        for sentence in views([batch]):
            tokens = _tokens(sentence)
            own = list(places_of(text, (form for form, _ in tokens), at))
            if len(own) < len(tokens):
                at = own[-1][1] if own else at
                rest = text[at:].lstrip(ALL_SPACES)
                there = f"the text goes on with {shown(rest[:SHOWN])}" if rest else "the text ends before it"
                raise HeadwayError(
                    f"{sentence.place}: {shown(tokens[len(own)][0])} does not stand here in the text: {there};"
                    " the tokens of sentences must be those of the text, with nothing but spaces between"
                )
            at = own[-1][1]
            places += [place for place, (_, words) in zip(own, tokens, strict=True) for _ in range(words)]
        begins, ends = np.array(places, np.int64).reshape(-1, 2).T.copy()
        found.append(replace(batch, spans=Spans(begins, ends)))
    if rest := text[at:].strip(ALL_SPACES):
        raise HeadwayError(f"no sentence has {shown(rest[:SHOWN])}, which stands in the text; give all its sentences")
    return tuple(found)


def _tokens(sentence: Sentence) -> list[tuple[str, int]]:
    """The tokens of a sentence as they are written, without spaces around them, and how many words each has."""
    words = {span.first: span.last - span.first + 1 for span in sentence.multiwords}
    tokens, number = [], 1
    for form, _ in sentence.surface():
        tokens.append((form.strip(ALL_SPACES) or form, words.get(number, 1)))
        number += tokens[-1][1]
    return tokens
