"""Deciding position by position: what there is to choose from, the positions, and the weights that choose.

Taggers and lemmatizers decide about words, segmenters about characters. Each brings its positions as keys
(`features/sequences.py`), and its choices. Tables from keys to numbers are how models know words without holding text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence.deciding import Deciding
from headway.kernels.sequence.model import ChoiceTable
from headway.kernels.sequence.words import find
from headway.kernels.weights.packed import PackedWeights

Keys = NDArray[np.uint64]
EVERYTHING = -1
"""The set that allows every choice."""


@dataclass(frozen=True, eq=False)
class NumberLists(PickledByFields):
    """Lists of numbers as arrays: list i is member[start[i] : start[i + 1]]."""

    start: Ints
    member: Ints

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> NumberLists:
        """The arrays of some lists."""
        lists = list(lists)
        start = np.array([*accumulate(map(len, lists), initial=0)], np.int32)
        return cls(start, np.array([*chain.from_iterable(lists)], np.int32))

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, number: int) -> list[int]:
        found: list[int] = self.member[self.start[number] : self.start[number + 1]].tolist()
        return found

    def __add__(self, other: NumberLists) -> NumberLists:
        """These lists and others behind them."""
        start = np.concatenate([self.start, other.start[1:] + self.start[-1]])
        return NumberLists(start, np.concatenate([self.member, other.member]))

    def with_list(self, numbers: Sequence[int]) -> tuple[NumberLists, int]:
        """Lists with these numbers among them, and the place of the list that has them. Linear time."""
        wanted = np.array(numbers, np.int32)
        for at in np.flatnonzero(self.sizes == len(wanted)).tolist() if len(wanted) > 1 else self._singles(wanted):
            if np.array_equal(self.member[self.start[at] : self.start[at + 1]], wanted):
                return self, at
        return self + NumberLists.of([numbers]), len(self)

    def _singles(self, wanted: Ints) -> list[int]:
        """The lists of nothing but one number."""
        single = np.flatnonzero(self.sizes == 1)
        found: list[int] = single[self.member[self.start[single]] == wanted[0]].tolist()
        return found

    @cached_property
    def sizes(self) -> Ints:
        """How many numbers each list has."""
        return np.diff(self.start)


@dataclass(frozen=True, eq=False)
class Choices(PickledByFields):
    """The parts that each choice is made of, ascending, and sets of choices that a position may be restricted to."""

    parts: NumberLists
    sets: NumberLists
    more: NumberLists | None = None
    """Sets behind these."""

    @classmethod
    def plain(cls, count: int, sets: Iterable[Sequence[int]] = ()) -> Choices:
        """Choices that are nothing but themselves."""
        return cls(NumberLists.of((number,) for number in range(count)), NumberLists.of(sets))

    def with_more(self, sets: NumberLists) -> Choices:
        """The same with more sets behind its own. Linear in these."""
        found = Choices(self.parts, self.sets, sets)
        found.__dict__.update(classes=self.classes, kernel=self.kernel.with_more(sets.start, sets.member))
        return found

    def allowed(self, which: int) -> list[int]:
        """The choices of a set."""
        known = len(self.sets)
        return self.sets[which] if which < known or self.more is None else self.more[which - known]

    @cached_property
    def classes(self) -> int:
        """How many parts there are."""
        return 1 + int(self.parts.member.max(initial=0))

    @cached_property
    def kernel(self) -> ChoiceTable:
        """The choices for the kernels."""
        parts, sets = self.parts, self.sets
        table = ChoiceTable(
            start=parts.start, member=parts.member, parts=self.classes, set_start=sets.start, set_member=sets.member
        )
        return table if self.more is None else table.with_more(self.more.start, self.more.member)


class Positions(NamedTuple):
    """Sequences as kernels read them: sequence s has the positions offsets[s] : offsets[s + 1]."""

    keys: Keys
    """[position, column]"""
    offsets: Ints
    attributes: Keys
    """[choice, attribute]: what earlier decisions look like to features."""
    sets: Ints
    """For each position the set of choices that it allows, or `EVERYTHING`."""


class Margins(NamedTuple):
    """What was chosen, and what came next at each position: the best other choice, and the best one of another kind."""

    chosen: Ints
    rivals: Ints
    """[position, 2], -1 where there was no other."""
    margins: NDArray[np.float32]
    """Infinite then."""


class SequenceWeights:
    """Learned weights, and how they decide."""

    def __init__(self, packed: PackedWeights) -> None:
        self.packed = packed

    def decide(self, templates: SequenceTemplates, choices: Choices, positions: Positions) -> Ints:
        """The best choice at each position, one after the other."""
        chosen = np.empty(len(positions.keys), np.int32)
        Deciding(templates.kernel, choices.kernel, self.packed).greedily(*positions, chosen)
        return chosen

    def margins(
        self,
        templates: SequenceTemplates,
        choices: Choices,
        positions: Positions,
        kinds: Ints | None = None,
        chosen: Ints | None = None,
    ) -> Margins:
        """How far what was chosen at each position is above the best other choice, and above that of another kind.

        `kinds` has the kind of each choice; without it all are alike. Where nothing is `chosen` yet, the best is, one
        position after the other.
        """
        size, decide = len(positions.keys), chosen is None
        found = np.empty(size, np.int32) if chosen is None else chosen
        alike = np.zeros(len(choices.parts), np.int32) if kinds is None else kinds
        rivals, margins = np.empty((size, 2), np.int32), np.empty((size, 2), np.float32)
        Deciding(templates.kernel, choices.kernel, self.packed).greedily(
            *positions, found, alike, rivals, margins, decide
        )
        return Margins(found, rivals, margins)

    def search(
        self, templates: SequenceTemplates, choices: Choices, positions: Positions, width: int, probabilities: bool
    ) -> Ints:
        """The best choices together that a beam of this width finds."""
        chosen = np.empty(len(positions.keys), np.int32)
        deciding = Deciding(templates.kernel, choices.kernel, self.packed)
        deciding.with_beam(*positions, chosen, width, templates.kernel.memory, probabilities)
        return chosen


def find_keys(table: Keys, keys: Keys) -> Ints:
    """Where keys stand in a table in ascending order, -1 for those that are not there. O(log n) for each."""
    found = np.empty(len(keys), np.int32)
    find(table, keys, found)
    return found


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

    def replaced(self, key: int, number: int) -> KeyTable:
        """The table with another number for a key, which may be new. Linear time."""
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at < len(self.keys) and int(self.keys[at]) == key:
            numbers = self.numbers.copy()
            numbers[at] = number
            return KeyTable(self.keys, numbers)
        return KeyTable(np.insert(self.keys, at, np.uint64(key)), np.insert(self.numbers, at, number))


@dataclass(frozen=True, eq=False)
class Dictionary(PickledByFields, ShortRepr):
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
        return cls._counted(words, numbers, np.ones(len(words), np.int32))

    @classmethod
    def _counted(cls, words: Keys, numbers: Ints, times: Ints) -> Dictionary:
        keys, word = np.unique(words, return_inverse=True)
        pairs, which = np.unique(word.astype(np.int64) << 32 | numbers, return_inverse=True)
        counts = np.bincount(which, times, len(pairs))
        start = np.searchsorted(pairs, np.arange(len(keys) + 1, dtype=np.int64) << 32)
        return cls(keys, start.astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32))

    def __add__(self, other: Dictionary) -> Dictionary:
        """What words had here and there together."""
        words = np.concatenate([one.keys[one.owners()] for one in (self, other)])
        numbers, times = np.concatenate([self.numbers, other.numbers]), np.concatenate([self.counts, other.counts])
        return self._counted(words, numbers, times)

    def find(self, words: Keys) -> Ints:
        """The place of each word among the keys, -1 where it is not known."""
        return find_keys(self.keys, words)

    @cached_property
    def seen(self) -> NDArray[np.int64]:
        """How often each word was seen, and behind the last one -1, for those that are not known."""
        sums = np.cumsum(np.append(0, self.counts))
        return np.append(np.diff(sums[self.start]), -1)

    def with_entry(self, word: int, number: int) -> Dictionary:
        """The dictionary where a word by number had something once more, which may be new. Linear time."""
        first, last = int(self.start[word]), int(self.start[word + 1])
        at = first + int(np.searchsorted(self.numbers[first:last], number))
        if at < last and int(self.numbers[at]) == number:
            counts = self.counts.copy()
            counts[at] += 1
            return Dictionary(self.keys, self.start, self.numbers, counts)
        start = self.start.copy()
        start[word + 1 :] += 1
        return Dictionary(self.keys, start, np.insert(self.numbers, at, number), np.insert(self.counts, at, 1))

    def owners(self) -> NDArray[np.int64]:
        """The word of each entry."""
        return np.repeat(np.arange(len(self.keys), dtype=np.int64), np.diff(self.start))
