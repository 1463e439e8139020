"""What is known of words before they are tagged: the tags that they had in a treebank, and which is the likeliest.

While a tagger learns, a word's own tag is left out of what is known of it: a word that was seen once is as unknown as
words of new text are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.text.sequence.training import Keys
from headway.text.tagger.dictionary import UNKNOWN, Dictionary, mixed

SHARE = 16
"""A tag that a word had in less than one of so many cases is not part of its class."""
SURE = np.array([0.6, 0.8, 0.95, 0.999])
"""How sure the likeliest tag of a word is: the shares between which no difference is made."""
Longs = NDArray[np.int64]


class WordFacts(NamedTuple):
    """Keys for each word of a dictionary, or for each occurrence."""

    known: Keys
    """Its tags."""
    likely: Keys
    """Its most frequent tag, and how sure that is."""

    def of(self, words: Ints) -> WordFacts:
        """Those of words by number, -1 for unknown ones."""
        if not len(self.known):
            nothing = np.full(len(words), UNKNOWN)
            return WordFacts(nothing, nothing)
        return WordFacts(*(np.where(words < 0, UNKNOWN, keys[words]) for keys in self))


def facts(dictionary: Dictionary, tag_of: Keys) -> WordFacts:
    """Of all words; `tag_of[a]` is the key of the tag of analysis a."""
    start, counts, names, _ = _by_tag(dictionary, tag_of)
    return _facts(start, counts, names)


def facts_without_own(dictionary: Dictionary, tag_of: Keys, words: Ints, analyses: Ints) -> WordFacts:
    """Of each occurrence in the treebank, as if it had not been there: the word and its analysis, by number."""
    start, counts, names, pair_of = _by_tag(dictionary, tag_of)
    # What is left is the same for all occurrences of a word with a tag: a group for each, of all tags of the word.
    sizes = np.diff(start)
    group_size = np.repeat(sizes, sizes)
    group_start = np.concatenate([[0], np.cumsum(group_size)])
    owner = np.repeat(np.arange(len(names)), group_size)
    first = np.repeat(np.repeat(start[:-1], sizes), group_size)
    member = first + np.arange(group_start[-1]) - np.repeat(group_start[:-1], group_size)
    left = _facts(group_start, counts[member] - (member == owner), names[member])
    return left.of(pair_of[dictionary.entry_of(words, analyses)])


def _by_tag(dictionary: Dictionary, tag_of: Keys) -> tuple[Longs, Longs, Keys, Ints]:
    """Entries put together by tag: where those of each word begin, counts, tags, and where each entry went."""
    tags, tag = np.unique(tag_of, return_inverse=True)
    owner = np.repeat(np.arange(len(dictionary.keys), dtype=np.int64), np.diff(dictionary.start))
    pairs, went = np.unique(owner << 32 | tag[dictionary.analyses], return_inverse=True)
    counts = np.bincount(went, dictionary.counts, len(pairs)).astype(np.int64)
    start = np.searchsorted(pairs, np.arange(len(dictionary.keys) + 1, dtype=np.int64) << 32)
    return start, counts, tags[pairs & 0xFFFFFFFF], went.astype(np.int32)


def _facts(start: Longs, counts: Longs, names: Keys) -> WordFacts:
    """Of groups of tags with their counts; no group is empty."""
    sizes = np.diff(start)
    group = np.repeat(np.arange(len(sizes)), sizes)
    totals = np.bincount(group, counts, len(sizes))
    kept = (counts > 0) & (counts * SHARE >= totals[group])
    known = np.zeros(len(sizes), np.uint64)
    with np.errstate(over="ignore"):
        np.add.at(known, group[kept], mixed(names[kept]))
    best = np.maximum.reduceat(counts, start[:-1]) if len(sizes) else counts
    at = np.flatnonzero(counts == best[group])[::-1]
    first = np.zeros(len(sizes), np.int64)
    first[group[at]] = at
    sure = np.digitize(best / np.maximum(totals, 1), SURE).astype(np.uint64)
    likely = mixed(names[first] ^ (sure + np.uint64(1))) if len(names) else known
    nothing = totals <= 0
    return WordFacts(np.where(nothing, UNKNOWN, known), np.where(nothing, UNKNOWN, likely))
