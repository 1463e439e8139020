"""What is known of a word before it is tagged: the tags that it had in the treebank, and whether it is rare.

While a tagger learns, a word's own tag is left out of what is known of it: a word that was seen once is as unknown as
words of new text are, and what was seen of others counts as it will later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.brief import Brief
from headway.text.dictionary import UNKNOWN, Dictionary, mixed
from headway.text.sequence_learning import EVERYTHING, Keys

SHARE = 16
"""A tag that a word had in less than one of so many cases is not part of its class."""


@dataclass(frozen=True, eq=False)
class Ambiguity(Brief):
    """Classes of words by the tags that they had; `tag_of[a]` is the key of the tag of analysis a that counts."""

    dictionary: Dictionary
    tag_of: Keys
    rare: int
    """Words seen fewer times are rare."""
    settled: int
    """Words seen at least so often have no other analyses than those that were seen."""

    @cached_property
    def _owner(self) -> Ints:
        return np.repeat(np.arange(len(self.dictionary.keys), dtype=np.int32), np.diff(self.dictionary.start))

    def _tags(self) -> tuple[NDArray[np.int64], Ints, Ints]:
        """Entries put together by tag: word << 32 | tag number, how often, and which of them each entry belongs to."""
        _, tag = np.unique(self.tag_of, return_inverse=True)
        pair = self._owner.astype(np.int64) << 32 | tag[self.dictionary.analyses]
        pairs, group = np.unique(pair, return_inverse=True)
        return pairs, np.bincount(group, self.dictionary.counts, len(pairs)).astype(np.int32), group.astype(np.int32)

    @cached_property
    def classes(self) -> Keys:
        """The class of each known word."""
        pairs, counts, _ = self._tags()
        return self._classes(pairs, counts, np.zeros(len(self.dictionary.keys), np.int32), None)

    def _classes(self, pairs: NDArray[np.int64], counts: Ints, less: Ints, without: Ints | None) -> Keys:
        word = (pairs >> 32).astype(np.int32)
        totals = self.dictionary.totals()
        names = np.unique(self.tag_of)[pairs & 0xFFFFFFFF]
        kept = counts * SHARE >= totals[word]
        found = np.zeros(len(self.dictionary.keys), np.uint64)
        with np.errstate(over="ignore"):
            np.add.at(found, word[kept], mixed(names[kept]))
        return np.where(found == 0, UNKNOWN, found)

    def known(self, words: Ints) -> Keys:
        """The classes of words by their number in the dictionary, -1 for unknown ones."""
        return np.where(words < 0, UNKNOWN, self.classes[words]) if len(self.classes) else np.full(len(words), UNKNOWN)

    def known_without_own(self, words: Ints, analyses: Ints) -> Keys:
        """The classes of the treebank's own words, each as if that one occurrence had not been there."""
        pairs, counts, group = self._tags()
        entry = self.dictionary.entry_of(words, analyses)
        own = group[entry]
        totals = self.dictionary.totals()
        # What is left is the same for all occurrences of a word with a tag, so it is found once for each.
        before = np.searchsorted(pairs >> 32, np.arange(len(self.dictionary.keys) + 1))
        names = mixed(np.unique(self.tag_of)[pairs & 0xFFFFFFFF])
        left = np.empty(len(pairs), np.uint64)
        with np.errstate(over="ignore"):
            for pair in range(len(pairs)):
                word = int(pairs[pair] >> 32)
                first, last = before[word], before[word + 1]
                some = counts[first:last].copy()
                some[pair - first] -= 1
                total = totals[word] - 1
                kept = (some > 0) & (some * SHARE >= total)
                left[pair] = names[first:last][kept].sum() if total > 0 and kept.any() else UNKNOWN
        return left[own]

    def is_rare(self, words: Ints, own: int = 0) -> NDArray[np.bool_]:
        """Whether words are rare; `own` occurrences of each do not count."""
        totals = self.dictionary.totals()
        return (words < 0) | (totals[words] - own < self.rare) if len(totals) else np.ones(len(words), np.bool_)

    def allowed(self, words: Ints, own: int = 0) -> Ints:
        """The set of analyses that a word may have, which is that of its number, or every analysis."""
        totals = self.dictionary.totals()
        if not len(totals):
            return np.full(len(words), EVERYTHING, np.int32)
        return np.where((words >= 0) & (totals[words] - own >= self.settled), words, EVERYTHING).astype(np.int32)
