"""Lemmas that a treebank or a lexicon knows by heart: from a word with its tags to the scripts that it had.

A word is looked for in four ways, the surest first: as it is written with all its tags, as it is written with its
UPOS, and both again in lower case. What is found is the number of a set of scripts; a set of one script is a lemma.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.text.lexicon import UNSAID, Lexicon, form_keys

Keys = NDArray[np.uint64]
Sets = dict[tuple[int, ...], int]
"""Sets of scripts, ascending, and their numbers."""
NOTHING = -1
"""The set of a word that is not known."""
FACTORS = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
EXACT, EXACT_UPOS, LOWER, LOWER_UPOS, LEMMA, LISTED = range(6)
"""What keys are about: ways to look for a word, a lemma, what a lexicon says."""


def joined(way: int, columns: Sequence[Keys]) -> Keys:
    """One key for several of the same word; different for each way to look for it."""
    found = np.full(len(columns[0]), way + 1, np.uint64)
    with np.errstate(over="ignore"):
        for column in columns:
            found = (found ^ column) * FACTORS[0]
            found = (found ^ (found >> np.uint64(32))) * FACTORS[1]
        return found ^ (found >> np.uint64(29))


@dataclass(frozen=True, eq=False)
class TaggedWords:
    """Words as keys: their forms, their forms in lower case, and their tags, UPOS first; all of one length."""

    forms: Keys
    lower: Keys
    tags: Sequence[Keys]

    def ways(self) -> tuple[Keys, Keys, Keys, Keys]:
        """The keys by which words are looked for, the surest way first."""
        upos = self.tags[:1]
        return (
            joined(EXACT, [self.forms, *self.tags]),
            joined(EXACT_UPOS, [self.forms, *upos]),
            joined(LOWER, [self.lower, *self.tags]),
            joined(LOWER_UPOS, [self.lower, *upos]),
        )


@dataclass(frozen=True, eq=False)
class LemmaDictionary(ShortRepr):
    """Keys in ascending order, and the number of the set of scripts of each."""

    keys: Keys
    sets: Ints

    def look_up(self, words: TaggedWords) -> Ints:
        """The set of each word, `NOTHING` where it is not known. O(log n) for each word."""
        found = np.full(len(words.forms), NOTHING, np.int32)
        if not len(self.keys):
            return found
        for keys in words.ways():
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            found = np.where((found < 0) & (self.keys[at] == keys), self.sets[at], found)
        return found

    @classmethod
    def learned(
        cls, words: TaggedWords, scripts: Ints, folds: NDArray[np.bool_], sets: Sets, sure: float
    ) -> LemmaDictionary:
        """What words had in a treebank; `folds` are those whose script is right for them in lower case, too.

        Where one script has at least the share `sure` of a word's occurrences, it is the only one.
        """
        exact, exact_upos, lower, lower_upos = words.ways()
        parts = [(exact, scripts), (exact_upos, scripts), (lower[folds], scripts[folds])]
        parts.append((lower_upos[folds], scripts[folds]))
        keys = np.concatenate([one for one, _ in parts])
        numbers = np.concatenate([some for _, some in parts])
        distinct, place = np.unique(keys, return_inverse=True)
        pairs, counts = np.unique(place.astype(np.int64) << 32 | numbers, return_counts=True)
        start = np.searchsorted(pairs, np.arange(len(distinct) + 1, dtype=np.int64) << 32)
        found = np.empty(len(distinct), np.int32)
        members = (pairs & 0xFFFFFFFF).tolist()
        for at, (first, last) in enumerate(zip(start[:-1].tolist(), start[1:].tolist(), strict=True)):
            if last - first == 1:
                some: tuple[int, ...] = (members[first],)
            else:
                here = counts[first:last]
                best = int(here.argmax())
                is_sure = here[best] >= sure * here.sum()
                some = (members[first + best],) if is_sure else tuple(members[first:last])
            found[at] = sets.setdefault(some, len(sets))
        return cls(distinct, found)

    @classmethod
    def of_lexicon(cls, lexicon: Lexicon, scripts: dict[str, int], tags: Sequence[str], sets: Sets) -> LemmaDictionary:
        """What a lexicon says of its forms; lines without XPOS and FEATS hold whatever these are."""
        numbers = np.array([scripts[script] for script in lexicon.scripts], np.int32)
        names = {"UPOS": lexicon.upos, "XPOS": lexicon.xpos, "FEATS": lexicon.feats}
        at = {"UPOS": 0, "XPOS": 1, "FEATS": 2}
        columns = [form_keys(names[tag])[lexicon.analyses[:, at[tag]]] for tag in tags]
        said = [np.array([name != UNSAID for name in names[tag]])[lexicon.analyses[:, at[tag]]] for tag in tags]
        forms = lexicon.keys[lexicon.form_of]
        of_script = numbers[lexicon.analyses[:, 3]]
        entries: dict[int, set[int]] = {}
        ways = [(EXACT, columns, np.logical_and.reduce(said)), (EXACT_UPOS, columns[:1], said[0])]
        for way, some, is_said in ways:
            # A lexicon has words of lower case in lower case, so that they are found at the start of a sentence, too.
            for kind in (way, way + LOWER):
                for key, script in zip(
                    joined(kind, [forms, *some])[is_said].tolist(), of_script[is_said].tolist(), strict=True
                ):
                    entries.setdefault(key, set()).add(script)
        keys = np.array(sorted(entries), np.uint64)
        found = [sets.setdefault(tuple(sorted(entries[key])), len(sets)) for key in keys.tolist()]
        return cls(keys, np.array(found, np.int32))


def known_keys(listed: Ints) -> Keys:
    """What a lexicon knows of words as keys, from numbers of sets; 0 where it knows nothing."""
    return np.where(listed < 0, 0, joined(LISTED, [listed.astype(np.uint64)]))


def lemma_keys(lemmas: Keys) -> Keys:
    """The keys of lemmas, which are others than those of words."""
    return joined(LEMMA, [lemmas])
