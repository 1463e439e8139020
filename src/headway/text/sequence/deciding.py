"""Deciding position by position: what there is to choose from, the positions, and the weights that choose.

Taggers and lemmatizers decide about words, segmenters about characters. Each brings its positions as keys
(`features/sequences.py`), and its choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence.deciding import Deciding
from headway.kernels.sequence.model import ChoiceTable
from headway.text.sequence.dictionary import Keys

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
        start = np.cumsum([0, *map(len, lists)], dtype=np.int32)
        return cls(start, np.array([number for some in lists for number in some], np.int32))

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, number: int) -> list[int]:
        found: list[int] = self.member[self.start[number] : self.start[number + 1]].tolist()
        return found

    def __add__(self, other: NumberLists) -> NumberLists:
        """These lists and others behind them."""
        start = np.concatenate([self.start, other.start[1:] + self.start[-1]])
        return NumberLists(start, np.concatenate([self.member, other.member]))

    @cached_property
    def sizes(self) -> Ints:
        """How many numbers each list has."""
        return np.diff(self.start)


@dataclass(frozen=True, eq=False)
class Choices(PickledByFields):
    """The parts that each choice is made of, ascending, and sets of choices that a position may be restricted to."""

    parts: NumberLists
    sets: NumberLists

    @classmethod
    def plain(cls, count: int, sets: Iterable[Sequence[int]] = ()) -> Choices:
        """Choices that are nothing but themselves."""
        return cls(NumberLists.of((number,) for number in range(count)), NumberLists.of(sets))

    @property
    def classes(self) -> int:
        """How many parts there are."""
        return 1 + int(self.parts.member.max(initial=0))

    @cached_property
    def kernel(self) -> ChoiceTable:
        """The choices for the kernels."""
        parts, sets = self.parts, self.sets
        return ChoiceTable(
            start=parts.start, member=parts.member, parts=self.classes, set_start=sets.start, set_member=sets.member
        )


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


class SequenceWeights(NamedTuple):
    """Learned weights in the layout of `kernels/weights/frozen.pxd`."""

    slots: NDArray[np.uint64]
    rows: NDArray[np.uint32]

    def decide(self, templates: SequenceTemplates, choices: Choices, positions: Positions) -> Ints:
        """The best choice at each position, one after the other."""
        chosen = np.empty(len(positions.keys), np.int32)
        Deciding(templates.kernel, choices.kernel, *self).greedily(*positions, chosen)
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
        Deciding(templates.kernel, choices.kernel, *self).greedily(*positions, found, alike, rivals, margins, decide)
        return Margins(found, rivals, margins)

    def search(
        self,
        templates: SequenceTemplates,
        choices: Choices,
        positions: Positions,
        *,
        width: int,
        probabilities: bool = False,
    ) -> Ints:
        """The best choices together that a beam of this width finds."""
        chosen = np.empty(len(positions.keys), np.int32)
        deciding = Deciding(templates.kernel, choices.kernel, *self)
        deciding.with_beam(*positions, chosen, width, templates.kernel.memory, probabilities)
        return chosen
