"""The words of a batch as a lemmatizer sees them: distinct forms and tags by number, and the keys of their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Codes, Ints
from headway.features.compile import KeyColumn, Names, column_of, keys_of
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence.model import KINDS
from headway.text.lemmatizer.dictionary import TaggedWords
from headway.text.sequence.dictionary import Keys

PIECES = ("prefix", "suffix")
WHOLE = KeyColumn("FORM")
ATTRIBUTES = (
    "FORM",
    "LOWER",
    "UPOS",
    "XPOS",
    "FEATS",
    "SHAPE",
    "KNOWN",
    *(f"{piece}{size}" for piece in ("PREFIX", "SUFFIX") for size in range(1, 13)),
)
"""What features of lemmatizers may look at."""
REPEATED = re.compile(r"(.)\1+", re.DOTALL)
MOST_KINDS = 1 << 14
"""Characters whose kinds are remembered."""


class LemmaWords:
    """The words of one batch; `tags` are the columns of tags that count, UPOS first."""

    def __init__(self, batch: Batch, tags: Sequence[str]) -> None:
        self.offsets: Ints = np.asarray(batch.sentence_word, np.int32)
        self.form = batch.codes("FORM")
        self.tags: dict[str, Codes] = {tag: batch.codes(tag) for tag in tags}

    def __len__(self) -> int:
        return len(self.form.codes)

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The distinct forms in lower case."""
        return tuple(name.lower() for name in self.form.names)

    @cached_property
    def form_keys(self) -> Keys:
        """The keys of the distinct forms."""
        return keys_of(self.form.names, WHOLE)

    @cached_property
    def lower_keys(self) -> Keys:
        """The keys of the distinct forms in lower case."""
        return keys_of(self.lower, WHOLE)

    @cached_property
    def types(self) -> tuple[NDArray[np.int64], Ints]:
        """A word of each type, those that differ in form or tags, and the type of each word."""
        number = self.form.codes.astype(np.int64)
        for codes in self.tags.values():
            number = number * len(codes.names) + codes.codes
        _, first, inverse = np.unique(number, return_index=True, return_inverse=True)
        return first, inverse.astype(np.int32)

    def tagged(self, words: NDArray[np.int64]) -> TaggedWords:
        """Some words as dictionaries look for them."""
        forms = self.form.codes[words]
        tags = [keys_of(codes.names, WHOLE)[codes.codes[words]] for codes in self.tags.values()]
        return TaggedWords(self.form_keys[forms], self.lower_keys[forms], tags)

    def keys(
        self, templates: SequenceTemplates, needed: NDArray[np.bool_], several: NDArray[np.bool_], known: Keys
    ) -> Keys:
        """The values that features look at: [word, column], 0 where there is none.

        Only words that are `needed` are decided about, so that pieces and shapes are made only of those in their
        reach. LOWER is told of words that have `several` lemmas; `known` is the key of what a lexicon knows of each.
        """
        keys = np.zeros((len(self), max(1, len(templates.columns))), np.uint64)
        reach = offsets_of(templates)
        made: dict[frozenset[int], _Forms] = {}
        for at, attribute in enumerate(templates.columns):
            column = column_of(attribute)
            if attribute == "KNOWN":
                keys[:, at] = known
            elif attribute == "LOWER":
                keys[:, at] = np.where(several, self.lower_keys[self.form.codes], 0)
            elif attribute == "SHAPE" or (column is not None and column.kind in PIECES):
                if reach[at] not in made:
                    made[reach[at]] = _Forms(self, _reached(reach[at], needed))
                keys[:, at] = made[reach[at]].keys(None if attribute == "SHAPE" else column)
            elif column is not None and column.field == "FORM":
                keys[:, at] = self.form_keys[self.form.codes]
            elif column is not None and column.field in self.tags:
                codes = self.tags[column.field]
                keys[:, at] = keys_of(codes.names, column)[codes.codes]
        return keys


class _Forms:
    """The distinct forms of some words, of which pieces and shapes are made, each once."""

    def __init__(self, words: LemmaWords, reached: NDArray[np.bool_]) -> None:
        is_wanted = np.zeros(len(words.form.names), np.bool_)
        is_wanted[words.form.codes[reached]] = True
        self.wanted = np.flatnonzero(is_wanted)
        self.words = words
        self.names = Names([words.lower[form] for form in self.wanted.tolist()])
        self.sizes = np.fromiter(map(len, self.names.names), np.int64, len(self.wanted))

    def keys(self, column: KeyColumn | None) -> Keys:
        """Pieces of forms in lower case where the form is longer, or without a column shapes; 0 for other words."""
        table = np.zeros(len(self.words.form.names), np.uint64)
        if len(self.wanted) and column is not None:
            table[self.wanted] = np.where(self.sizes > column.argument, self.names.keys(column), 0)
        elif len(self.wanted):
            shapes = [shape_of(self.words.form.names[form]) for form in self.wanted.tolist()]
            table[self.wanted] = keys_of(shapes, WHOLE)
        return table[self.words.form.codes]


def offsets_of(templates: SequenceTemplates) -> list[frozenset[int]]:
    """For each column how far away features look at it."""
    of_column: list[set[int]] = [set() for _ in templates.columns]
    for kind, offset, column in templates.slot.tolist():
        if kind == KINDS["column"]:
            of_column[column].add(offset)
    return [frozenset(offsets) for offsets in of_column]


def _reached(offsets: Iterable[int], needed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The words at which features of needed words look; a few too many at the ends of sentences."""
    reached = np.zeros_like(needed)
    for offset in offsets:
        size = len(needed) - abs(offset)
        if size > 0:
            reached[max(0, offset) :][:size] |= needed[max(0, -offset) :][:size]
    return reached


class _CharacterKinds(dict[int, str]):
    """What a shape has for each character, found when it is first met; a few thousand characters at the most matter."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kind = "X" if character.isupper() else "x" if character.isalpha() else "d" if character.isdigit() else character
        if len(self) < MOST_KINDS:
            self[code] = kind
        return kind


CHARACTER_KINDS = _CharacterKinds()


def shape_of(form: str) -> str:
    """Upper and lower case, digits and other characters, with one of several alike: `Xx+`, `d,d+`."""
    return REPEATED.sub(r"\1+", form.translate(CHARACTER_KINDS))
