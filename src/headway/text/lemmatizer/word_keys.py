"""The words of a batch as keys: what features of lemmatizers see, and how lemmas are looked up that are known by heart.

A word is looked for in four ways, the surest first: as it is written with all its tags, as it is written with its
UPOS, and both again in lower case. What is found is the number of a set of scripts; a set of one script is a lemma.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.layers import Codes
from headway.features.encode import KeyColumn, by_field, column_of, encode, keys_of
from headway.features.own_columns import MY
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence import words as kernel
from headway.text.sequence.deciding import Keys, KeyTable

PIECES = ("prefix", "suffix")
LOWERED = "form in lower case"
WHOLE, OUTLINE = KeyColumn("FORM"), KeyColumn("FORM", "outline")
ATTRIBUTES = (
    "FORM",
    "LOWER",
    "UPOS",
    "XPOS",
    "FEATS",
    "SHAPE",
    "KNOWN",
    *(f"{piece}{size}" for piece in ("PREFIX", "SUFFIX") for size in range(1, 13)),
    MY,
)
"""What features of lemmatizers may look at."""
REPEATED = re.compile(r"(.)\1+", re.DOTALL)
MOST_KINDS = 1 << 14
"""Characters whose kinds are remembered."""


EXACT, EXACT_UPOS, LOWER, LOWER_UPOS, LEMMA, LISTED = range(6)
"""What keys are about: ways to look for a word, a lemma, what a lexicon says."""


def joined(way: int, columns: Sequence[Keys]) -> Keys:
    """Join several keys of each word into one; each way to look for a word gives different keys."""
    keys = np.empty(len(columns[0]), np.uint64)
    first, *others = columns
    kernel.joined(way, first, np.stack(others, axis=1) if others else np.empty((len(first), 0), np.uint64), keys)
    return keys


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
    found = np.empty(len(words.forms), np.int32)
    kernel.look_up(table.keys, table.numbers, *words, found)
    return found


def known_keys(listed: Ints) -> Keys:
    """Keys for what a lexicon says about words, from numbers of sets; 0 where it says nothing."""
    return np.where(listed < 0, np.uint64(0), joined(LISTED, [listed.astype(np.uint64)]))


def lemma_keys(lemmas: Sequence[str]) -> Keys:
    """The keys of lemmas; they differ from the keys of words."""
    return joined(LEMMA, [keys_of(lemmas, WHOLE)])


class LemmaWords:
    """The words of one batch; `tags` are the columns of tags that count, UPOS first."""

    def __init__(self, batch: Batch, tags: Sequence[str]) -> None:
        self.offsets: Ints = np.asarray(batch.sentence_word, np.int32)
        self.batch, self.form = batch, batch.codes("FORM")
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
        tags = np.empty((len(forms), len(self.tags)), np.uint64)
        for at, codes in enumerate(self.tags.values()):
            tags[:, at] = codes.known.once(WHOLE, lambda names: keys_of(names, WHOLE))[codes.codes[words]]
        return TaggedWords(self.form_keys[forms], self.lower_keys[forms], tags)

    def keys(self, templates: SequenceTemplates, several: NDArray[np.bool_], known: Keys) -> Keys:
        """The values that features look at: [word, column], 0 where there is none.

        Pieces are those of forms in lower case that are longer. LOWER is told of words that have `several` lemmas;
        `known` is the key of what a lexicon knows of each.
        """
        columns = templates.columns
        of_forms = np.zeros((len(self.form.names), max(1, len(columns))), np.uint64)
        by_source = {some.field: some for some in by_field(key_columns(columns))}
        for source, strings in ((LOWERED, self.lower), ("FORM", self.form.names)):
            if source in by_source:
                by_source[source].fill(strings, of_forms)
        keys = of_forms[self.form.codes]
        for tag, codes in self.tags.items():
            if tag in by_source:
                keys[:, by_source[tag].places] = by_source[tag].of_names(codes.known)[codes.codes]
        for source, some in by_source.items():
            if source.startswith(MY):
                keys[:, some.places] = encode(some.columns, False, self.batch).keys
        for at, name in enumerate(columns):
            if name == "LOWER":
                keys[:, at] = np.where(several, self.lower_keys[self.form.codes], 0)
            elif name == "KNOWN":
                keys[:, at] = known
        return keys


@lru_cache(maxsize=64)
def key_columns(names: tuple[str, ...]) -> tuple[KeyColumn, ...]:
    """For each attribute the column that it is taken from; those that no column has belong to no source."""
    found = []
    for name in names:
        column = (None if name == "LOWER" else column_of(name)) or KeyColumn("")
        if column.kind in PIECES:
            column = KeyColumn(LOWERED, f"longer-{column.kind}", column.argument)
        found.append(OUTLINE if column.kind == "shape" else column)
    return tuple(found)


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
