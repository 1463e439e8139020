"""Tables from keys to numbers: how models know words without holding their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints

Keys = NDArray[np.uint64]


def find_keys(table: Keys, keys: Keys) -> Ints:
    """Where keys stand in a table in ascending order, -1 for those that are not there. O(log n) for each."""
    if not len(table):
        return np.full(len(keys), -1, np.int32)
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[at] == keys, at, -1).astype(np.int32)


def mixed(keys: Keys) -> Keys:
    """Keys spread over all bits, so that their sum says which of them there are. SplitMix64."""
    with np.errstate(over="ignore"):
        z = keys + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


@dataclass(frozen=True, eq=False)
class KeyTable(ShortRepr):
    """Keys in ascending order, and a number for each."""

    keys: Keys
    numbers: Ints

    @classmethod
    def of(cls, number_of: Mapping[int, int]) -> KeyTable:
        """The table of a mapping."""
        keys = sorted(number_of)
        return cls(np.array(keys, np.uint64), np.array([number_of[key] for key in keys], np.int32))

    def look_up(self, keys: Keys) -> Ints:
        """The number of each key, -1 for those that are not in the table."""
        at = find_keys(self.keys, keys)
        return np.where(at < 0, -1, self.numbers[at]) if len(self.keys) else at


@dataclass(frozen=True, eq=False)
class Dictionary(ShortRepr):
    """What words had, such as analyses, and how often: word w, with the key keys[w], has start[w] : start[w + 1]."""

    keys: Keys
    """In ascending order."""
    start: Ints
    numbers: Ints
    """Ascending within a word."""
    counts: Ints

    @classmethod
    def of(cls, words: Keys, numbers: Ints) -> Dictionary:
        """Of words, each with what it had."""
        keys, word = np.unique(words, return_inverse=True)
        pairs, counts = np.unique(word.astype(np.int64) << 32 | numbers, return_counts=True)
        start = np.searchsorted(pairs, np.arange(len(keys) + 1, dtype=np.int64) << 32)
        return cls(keys, start.astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32))

    def find(self, words: Keys) -> Ints:
        """The place of each word among the keys, -1 where it is not known."""
        return find_keys(self.keys, words)

    def totals(self) -> NDArray[np.int64]:
        """How often each word was seen."""
        sums = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        totals: NDArray[np.int64] = sums[self.start[1:]] - sums[self.start[:-1]]
        return totals

    def owners(self) -> NDArray[np.int64]:
        """The word of each entry."""
        return np.repeat(np.arange(len(self.keys), dtype=np.int64), np.diff(self.start))

    def entry_of(self, word: Ints, numbers: Ints) -> Ints:
        """Which entry says that a known word had a number."""
        entries = self.owners() << 32 | self.numbers
        return np.searchsorted(entries, word.astype(np.int64) << 32 | numbers).astype(np.int32)
