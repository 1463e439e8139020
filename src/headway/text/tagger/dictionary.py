"""What a treebank says about its words: which analyses each had, and how often. Words are kept as keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.text.sequence.training import Keys

UNKNOWN = np.uint64(0x9D39247E33776D41)
"""The class of a word that the treebank does not have."""


@dataclass(frozen=True, eq=False)
class Dictionary(ShortRepr):
    """The entries of word w, those with the key keys[w], are start[w] : start[w + 1]: analyses and their counts."""

    keys: Keys
    """In ascending order."""
    start: Ints
    analyses: Ints
    """Ascending within a word."""
    counts: Ints

    @classmethod
    def of(cls, words: Keys, analyses: Ints) -> Dictionary:
        """Of words with their analyses."""
        keys, word = np.unique(words, return_inverse=True)
        pairs, counts = np.unique(word.astype(np.int64) << 32 | analyses, return_counts=True)
        start = np.searchsorted(pairs, np.arange(len(keys) + 1, dtype=np.int64) << 32)
        return cls(keys, start.astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32))

    @classmethod
    def empty(cls) -> Dictionary:
        """Without words."""
        nothing = np.empty(0, np.int32)
        return cls(np.empty(0, np.uint64), np.zeros(1, np.int32), nothing, nothing)

    def find(self, words: Keys) -> Ints:
        """The number of each word, -1 where it is not known."""
        if not len(self.keys):
            return np.full(len(words), -1, np.int32)
        at = np.minimum(np.searchsorted(self.keys, words), len(self.keys) - 1)
        return np.where(self.keys[at] == words, at, -1).astype(np.int32)

    def totals(self) -> NDArray[np.int64]:
        """How often each word was seen."""
        sums = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        totals: NDArray[np.int64] = sums[self.start[1:]] - sums[self.start[:-1]]
        return totals

    def entry_of(self, word: Ints, analyses: Ints) -> Ints:
        """Which entry says that a known word had an analysis."""
        owner = np.repeat(np.arange(len(self.keys), dtype=np.int64), np.diff(self.start))
        return np.searchsorted(owner << 32 | self.analyses, word.astype(np.int64) << 32 | analyses).astype(np.int32)


def mixed(keys: Keys) -> Keys:
    """Keys spread over all bits, so that their sum says which of them there are. SplitMix64."""
    with np.errstate(over="ignore"):
        z = keys + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
