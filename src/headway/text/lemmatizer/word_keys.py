"""The words of a batch as keys: what features of lemmatizers see, and how lemmas are looked up that are known by heart.

A word is looked for in four ways, the surest first: as it is written with all its tags, as it is written with its
UPOS, and both again in lower case. What is found is the number of a set of scripts; a set of one script is a lemma.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.layers import Codes
from headway.features.compile import KeyColumn, column_of, keys_by, keys_of
from headway.features.sequences import COLUMN, SequenceTemplates
from headway.text.sequence.deciding import Keys, KeyTable

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


FACTORS = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
EXACT, EXACT_UPOS, LOWER, LOWER_UPOS, LEMMA, LISTED = range(6)
"""What keys are about: ways to look for a word, a lemma, what a lexicon says."""


def joined(way: int, columns: Sequence[Keys]) -> Keys:
    """Join several keys of each word into one; each way to look for a word gives different keys."""
    found = np.full(len(columns[0]), way + 1, np.uint64)
    with np.errstate(over="ignore"):
        for column in columns:
            found = (found ^ column) * FACTORS[0]
            found = (found ^ (found >> np.uint64(32))) * FACTORS[1]
        return found ^ (found >> np.uint64(29))


class TaggedWords(NamedTuple):
    """Words as keys: their forms, their forms in lower case, and their tags [word, column], UPOS first."""

    forms: Keys
    lower: Keys
    tags: Keys

    def ways(self) -> tuple[Keys, Keys, Keys, Keys]:
        """The keys by which words are looked for, the surest way first."""
        tags = self.tags.T
        return (
            joined(EXACT, [self.forms, *tags]),
            joined(EXACT_UPOS, [self.forms, tags[0]]),
            joined(LOWER, [self.lower, *tags]),
            joined(LOWER_UPOS, [self.lower, tags[0]]),
        )


def look_up(table: KeyTable, words: TaggedWords) -> Ints:
    """The number of the set of scripts of each word, -1 where it is not known. O(log n) for each word."""
    found = np.full(len(words.forms), -1, np.int32)
    for keys in words.ways() if len(table.keys) else ():
        left = np.flatnonzero(found < 0)
        found[left] = table.look_up(keys[left])
    return found


def known_keys(listed: Ints) -> Keys:
    """Keys for what a lexicon says about words, from numbers of sets; 0 where it says nothing."""
    return np.where(listed < 0, 0, joined(LISTED, [listed.astype(np.uint64)]))


def lemma_keys(lemmas: Sequence[str]) -> Keys:
    """The keys of lemmas; they differ from the keys of words."""
    return joined(LEMMA, [keys_of(lemmas, WHOLE)])


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

    def tagged(self, words: NDArray[np.int64] | slice = slice(None)) -> TaggedWords:
        """All words, or some of them, as dictionaries look for them."""
        forms = self.form.codes[words]
        tags = [keys_of(codes.names, WHOLE)[codes.codes[words]] for codes in self.tags.values()]
        return TaggedWords(self.form_keys[forms], self.lower_keys[forms], np.stack(tags, axis=1))

    def keys(
        self, templates: SequenceTemplates, needed: NDArray[np.bool_], several: NDArray[np.bool_], known: Keys
    ) -> Keys:
        """The values that features look at: [word, column], 0 where there is none.

        Only words that are `needed` are decided about, so that pieces and shapes are made only of those in their
        reach. LOWER is told of words that have `several` lemmas; `known` is the key of what a lexicon knows of each.
        """
        keys = np.zeros((len(self), max(1, len(templates.columns))), np.uint64)
        reach = offsets_of(templates)
        pieces: defaultdict[frozenset[int], list[int]] = defaultdict(list)
        columns = [column_of(attribute) or WHOLE for attribute in templates.columns]
        for at, (attribute, column) in enumerate(zip(templates.columns, columns, strict=True)):
            if attribute == "KNOWN":
                keys[:, at] = known
            elif attribute == "LOWER":
                keys[:, at] = np.where(several, self.lower_keys[self.form.codes], 0)
            elif column.kind in (*PIECES, "shape"):
                pieces[reach[at]].append(at)
            elif column.field == "FORM":
                keys[:, at] = self.form_keys[self.form.codes]
            elif column.field in self.tags:
                codes = self.tags[column.field]
                keys[:, at] = keys_of(codes.names, column)[codes.codes]
        for offsets, some in pieces.items():
            keys[:, some] = self._pieces([columns[at] for at in some], _reached(offsets, needed))
        return keys

    def _pieces(self, columns: Sequence[KeyColumn], reached: NDArray[np.bool_]) -> Keys:
        """Pieces of forms in lower case where the form is longer, and shapes: [word, column], 0 for other words."""
        is_wanted = np.zeros(len(self.form.names), np.bool_)
        is_wanted[self.form.codes[reached]] = True
        wanted = np.flatnonzero(is_wanted).tolist()
        lower = [self.lower[form] for form in wanted]
        sizes = np.array([len(form) for form in lower], np.int64)
        found = np.where(sizes[:, None] > [column.argument for column in columns], keys_by(lower, tuple(columns)), 0)
        for at, column in enumerate(columns):
            if column.kind == "shape":
                found[:, at] = keys_of([shape_of(self.form.names[form]) for form in wanted], WHOLE)
        table = np.zeros((len(is_wanted), len(columns)), np.uint64)
        table[is_wanted] = found
        return table[self.form.codes]


def offsets_of(templates: SequenceTemplates) -> list[frozenset[int]]:
    """For each column how far away features look at it."""
    of_column: list[set[int]] = [set() for _ in templates.columns]
    for kind, offset, column in templates.slot.tolist():
        if kind == COLUMN:
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
