"""What the end of a word tells: the analyses that rare words of the treebank with the same end had."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.text.sequence.training import Keys
from headway.text.tagger.dictionary import Dictionary, mixed

SIZES = ("SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4")
"""The ends that are looked at, the shortest first."""
FEWEST = 5
"""An end counts if so many different words have it."""


@dataclass(frozen=True, eq=False)
class Endings(ShortRepr):
    """Ends of words with the analyses that words had which end so, and how many of the words had each."""

    dictionary: Dictionary

    @classmethod
    def of(cls, forms: Keys, pieces: Keys, analyses: Ints, rare: int) -> Endings:
        """Those of a treebank: for each word the keys of its form and of its ends [word, size], and its analysis.

        Frequent words have endings of their own and tell nothing about others.
        """
        _, first, word, counts = np.unique(forms, return_index=True, return_inverse=True, return_counts=True)
        ends, is_rare = _distinct(pieces[first]), counts < rare
        pairs = np.unique(word.astype(np.int64) << 32 | analyses)
        pairs = pairs[is_rare[pairs >> 32]]
        found, shown = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
        for size in range(len(SIZES)):
            names, number, words = np.unique(ends[is_rare, size], return_inverse=True, return_counts=True)
            often = np.zeros(len(ends), bool)
            often[is_rare] = words[number] >= FEWEST if len(names) else False
            kept = pairs[often[pairs >> 32]]
            found.append(ends[kept >> 32, size])
            shown.append((kept & 0xFFFFFFFF).astype(np.int32))
        return cls(Dictionary.of(np.concatenate(found), np.concatenate(shown)))

    def find(self, pieces: Keys) -> Ints:
        """The number of the longest end that each word has, -1 where it has none of them."""
        found = np.full(len(pieces), -1, np.int32)
        for end in _distinct(pieces).T:
            longer = self.dictionary.find(end)
            found = np.where(longer >= 0, longer, found).astype(np.int32)
        return found


def _distinct(pieces: Keys) -> Keys:
    """Keys of ends that also tell the size: a short word is no end of longer ones."""
    return mixed(pieces ^ np.arange(1, pieces.shape[1] + 1, dtype=np.uint64))
