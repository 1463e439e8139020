"""Lemmas that a treebank or a lexicon knows by heart: from a word with its tags to the scripts that it had.

A word is looked for in four ways, the surest first: as it is written with all its tags, as it is written with its
UPOS, and both again in lower case. What is found is the number of a set of scripts; a set of one script is a lemma.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.text.lexicon import UNSAID, Lexicon, form_keys
from headway.text.sequence.dictionary import Dictionary, Keys, KeyTable

Sets = dict[tuple[int, ...], int]
"""Sets of scripts, ascending, and their numbers."""
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


def look_up(table: KeyTable, words: TaggedWords) -> Ints:
    """The number of the set of scripts of each word, -1 where it is not known. O(log n) for each word."""
    found = np.full(len(words.forms), -1, np.int32)
    for keys in words.ways() if len(table.keys) else ():
        left = np.flatnonzero(found < 0)
        found[left] = table.look_up(keys[left])
    return found


def learned_lemmas(words: TaggedWords, scripts: Ints, folds: NDArray[np.bool_], sets: Sets, sure: float) -> KeyTable:
    """The scripts that words had in a treebank; `folds` are those whose script is right for them in lower case, too.

    Where one script has at least the share `sure` of a word's occurrences, it is the only one.
    """
    exact, exact_upos, lower, lower_upos = words.ways()
    known = Dictionary.of(
        np.concatenate([exact, exact_upos, lower[folds], lower_upos[folds]]),
        np.concatenate([scripts, scripts, scripts[folds], scripts[folds]]),
    )
    members = known.numbers.tolist()
    found = np.empty(len(known.keys), np.int32)
    for at, (first, last) in enumerate(pairwise(known.start.tolist())):
        some: tuple[int, ...] = tuple(members[first:last])
        if len(some) > 1:
            counts = known.counts[first:last]
            best = int(counts.argmax())
            some = some[best : best + 1] if counts[best] >= sure * counts.sum() else some
        found[at] = sets.setdefault(some, len(sets))
    return KeyTable(known.keys, found)


def lexicon_lemmas(lexicon: Lexicon, scripts: dict[str, int], tags: Sequence[str], sets: Sets) -> KeyTable:
    """The lemmas that a lexicon gives its forms; lines without XPOS and FEATS apply whatever these are."""
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
    return KeyTable.of({key: sets.setdefault(tuple(sorted(entries[key])), len(sets)) for key in sorted(entries)})


def known_keys(listed: Ints) -> Keys:
    """Keys for what a lexicon says about words, from numbers of sets; 0 where it says nothing."""
    return np.where(listed < 0, 0, joined(LISTED, [listed.astype(np.uint64)]))


def lemma_keys(lemmas: Keys) -> Keys:
    """The keys of lemmas; they differ from the keys of words."""
    return joined(LEMMA, [lemmas])
