"""What a treebank, the ends of words and a lexicon tell about words.

While a tagger learns, a word's own tag is left out of what is known of it: a word that was seen once is as unknown as
words of new text are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.features.own_columns import MY
from headway.features.vocabulary import WORD_ATTRIBUTES
from headway.kernels.sequence import words as kernel
from headway.text.sequence.deciding import EVERYTHING, Dictionary, Keys, NumberLists, mixed

OF_FORMS = ("FORM", "LOWER", "SHAPE", *(f"{name}{size}" for name in ("PREFIX", "SUFFIX") for size in range(1, 13)))
"""Attributes that depend on the form of a word alone."""
ATTRIBUTES = (*OF_FORMS, *WORD_ATTRIBUTES, MY)
"""What taggers know of every word."""
CASED = "CASED"
FACTS = {
    "KNOWN": ("forms", 0),
    "LOWERKNOWN": ("lower", 0),
    "LIKELY": ("lower", 1),
    "ANALYSES": ("analyses", 0),
    "AGREES": ("agreeing", 0),
}
"""What the treebank tells of words: from which dictionary, and which of `WordFacts`."""
KNOWN_OF_WORDS = (*FACTS, "RARE", "LEXICON")
"""What is known of a word beside its form."""
UNKNOWN = np.uint64(0x9D39247E33776D41)
"""The key of what is known of a word that the treebank does not have."""
SIZES = ("SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4")
"""The ends of words that are looked at, the shortest first."""
FEWEST = 5
"""An end counts if so many different words have it."""
SHARE = 16
"""A tag that a word had in less than one of so many cases is not part of its class."""
SURE = np.array([0.6, 0.8, 0.95, 0.999])
"""How sure the likeliest tag of a word is: the shares between which no difference is made."""
NO_WORDS = Dictionary.of(np.empty(0, np.uint64), np.empty(0, np.int32))
Longs = NDArray[np.int64]


class WordFacts(NamedTuple):
    """Keys for each word of a dictionary and, at the end, for all others; or for each occurrence."""

    known: Keys
    """Its tags."""
    likely: Keys
    """Its most frequent tag, and how sure that is."""

    def of(self, words: Ints) -> WordFacts:
        """The facts about words by number, -1 for unknown ones."""
        return WordFacts(self.known[words], self.likely[words])


def facts(dictionary: Dictionary, tag_of: Keys) -> WordFacts:
    """The facts about all words; `tag_of[a]` is the key of the tag of analysis a."""
    return _facts(*_by_tag(dictionary, tag_of)[:3])


def facts_without_own(dictionary: Dictionary, tag_of: Keys, words: Ints, analyses: Ints) -> WordFacts:
    """The facts about each occurrence (word and analysis, by number), as if it were not in the treebank."""
    start, counts, names, pair_of = _by_tag(dictionary, tag_of)
    # What is left is the same for all occurrences of a word with a tag: a group for each, of all tags of the word.
    sizes = np.diff(start)
    group_size = np.repeat(sizes, sizes)
    group_start = np.concatenate([[0], np.cumsum(group_size)])
    owner = np.repeat(np.arange(len(names)), group_size)
    first = np.repeat(np.repeat(start[:-1], sizes), group_size)
    member = first + np.arange(group_start[-1]) - np.repeat(group_start[:-1], group_size)
    left = _facts(group_start, counts[member] - (member == owner), names[member])
    entries = dictionary.owners() << 32 | dictionary.numbers
    return left.of(pair_of[np.searchsorted(entries, words.astype(np.int64) << 32 | analyses)])


def _by_tag(dictionary: Dictionary, tag_of: Keys) -> tuple[Longs, Longs, Keys, Ints]:
    """Entries put together by tag: where those of each word begin, counts, tags, and where each entry went."""
    tags, tag = np.unique(tag_of, return_inverse=True)
    pairs, went = np.unique(dictionary.owners() << 32 | tag[dictionary.numbers], return_inverse=True)
    counts = np.bincount(went, dictionary.counts, len(pairs)).astype(np.int64)
    start = np.searchsorted(pairs, np.arange(len(dictionary.keys) + 1, dtype=np.int64) << 32)
    return start, counts, tags[pairs & 0xFFFFFFFF], went.astype(np.int32)


def _facts(start: Longs, counts: Longs, names: Keys) -> WordFacts:
    """The facts about groups of tags with their counts; no group is empty."""
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
    return WordFacts(*(np.append(np.where(totals > 0, keys, UNKNOWN), UNKNOWN) for keys in (known, likely)))


def endings_of(forms: Keys, pieces: Keys, analyses: Ints, rare: int) -> Dictionary:
    """The analyses that rare words with the same end had; from the keys of each form and of its ends [word, size].

    Frequent words have endings of their own and tell nothing about others.
    """
    _, first, word, counts = np.unique(forms, return_index=True, return_inverse=True, return_counts=True)
    ends, is_rare = np.empty((len(first), pieces.shape[1]), np.uint64), counts < rare
    kernel.keys_of_ends(pieces[first], ends)  # a short word is no end of longer ones
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
    return Dictionary.of(np.concatenate(found), np.concatenate(shown))


def longest_endings(endings: Dictionary, pieces: Keys) -> Ints:
    """The number of the longest end that each word has, -1 where it has none of them."""
    found = np.empty(len(pieces), np.int32)
    kernel.longest_ends(endings.keys, pieces, found)
    return found


@dataclass(frozen=True, eq=False)
class WordKnowledge(PickledByFields, ShortRepr):
    """What a tagger knows about words: analyses by form, by form in lower case, by ends, and those of a lexicon."""

    forms: Dictionary
    lower: Dictionary
    endings: Dictionary
    """By keys that `endings_of` makes of ends."""
    tag_of: Keys
    """For each analysis the key of its first tag."""
    agreeing: Keys
    """And that of what neighbours may agree in."""
    rare: int
    """Words seen fewer times are rare."""
    lexicon: Dictionary = NO_WORDS

    @cached_property
    def _sources(self) -> dict[str, tuple[Dictionary, Keys]]:
        """What facts are made of: a dictionary, and the key of what each analysis counts as."""
        each = np.arange(1, len(self.tag_of) + 1).astype(np.uint64)
        return {
            "forms": (self.forms, self.tag_of),
            "lower": (self.lower, self.tag_of),
            "analyses": (self.lower, each),
            "agreeing": (self.lower, self.agreeing),
            "endings": (self.endings, self.agreeing),
            "lexicon": (self.lexicon, self.tag_of),
        }

    @cached_property
    def _facts(self) -> dict[str, WordFacts]:
        return {name: facts(*source) for name, source in self._sources.items()}

    def columns(self, forms: Keys, lower: Keys, ends: Keys, gold: Ints | None) -> dict[str, Keys]:
        """Attributes of words by the keys of their forms and ends; with gold analyses, each without its own."""
        words, small = self.forms.find(forms), self.lower.find(lower)
        of_words = {"forms": words, "lower": small, "analyses": small, "agreeing": small}
        if gold is None:
            found = {name: facts[of_words[source]] for name, (source, facts) in self._columns.items()}
        else:
            known = {name: facts_without_own(*self._sources[name], some, gold) for name, some in of_words.items()}
            found = {name: known[source][which] for name, (source, which) in FACTS.items()}
        found["AGREES"] = self._agrees(found["AGREES"], ends)
        found["RARE"] = (self.forms.seen[words] - (gold is not None) < self.rare).astype(np.uint64)
        found["LEXICON"] = self._lexical[self._in_lexicon(forms, lower)]
        return found

    @cached_property
    def _columns(self) -> dict[str, tuple[str, Keys]]:
        return {name: (source, self._facts[source][which]) for name, (source, which) in FACTS.items()}

    @cached_property
    def _lexical(self) -> Keys:
        """The facts of the lexicon; without one there are none."""
        return self._facts["lexicon"].known if len(self.lexicon.keys) else np.zeros(1, np.uint64)

    def _agrees(self, known: Keys, ends: Keys) -> Keys:
        """What words may agree in: what they had, or what words with the same end had."""
        if not self._agree:
            return np.zeros(len(known), np.uint64)
        new = np.flatnonzero(known == UNKNOWN)
        if len(new):
            known[new] = self._facts["endings"].known[longest_endings(self.endings, ends[new])]
        return known

    @cached_property
    def _agree(self) -> bool:
        return bool(self.agreeing.any())

    def _in_lexicon(self, forms: Keys, lower: Keys) -> Ints:
        if not len(self.lexicon.keys):
            return np.full(len(forms), -1, np.int32)
        found = self.lexicon.find(forms)
        return np.where(found >= 0, found, self.lexicon.find(lower)).astype(np.int32)

    def allowed(self, forms: Keys, lower: Keys, settled: int, rules: bool, own: int = 0) -> Ints:
        """The set of analyses that each word may have, by number: first the sets of `lower`, then those of the lexicon.

        Words seen `settled` times have the analyses that they had; with `rules`, words of the lexicon those that it
        says.
        """
        small = self.lower.find(lower)
        found = np.where(self.lower.seen[small] - own >= settled, small, np.int32(EVERYTHING))
        if rules and len(self.lexicon.keys):
            listed = self._in_lexicon(forms, lower)
            found = np.where(listed >= 0, listed + len(self.lower.keys), found).astype(np.int32)
        return found

    def sets(self) -> NumberLists:
        """The sets of analyses that words may have."""
        return NumberLists(self.lower.start, self.lower.numbers) + NumberLists(self.lexicon.start, self.lexicon.numbers)
