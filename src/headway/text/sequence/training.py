"""What all stages that decide position by position share: passes over a treebank, and weights to decide with.

Taggers decide about words, lemmatizers too, segmenters about characters. Each brings its positions as keys
(`features/sequences.py`), what there is to choose (`Choices`), and what is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.schema import Layout, whole
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence import learning
from headway.kernels.sequence.choices import ChoiceTable
from headway.kernels.sequence.deciding import Deciding
from headway.kernels.weights import freezing
from headway.kernels.weights.table import Weights
from headway.learners.online import Online
from headway.stages.contract import Packed
from headway.training.weight_state import STATE, weights_state

AT_ONCE = 1 << 10
"""Sequences learned in one call of the kernel; in between the user may interrupt."""
EVERYTHING = -1
"""The set that allows every choice."""
Keys = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Choices(PickledByFields):
    """Choices and the parts each is made of, by number; sets of choices that a position may be restricted to."""

    parts: tuple[tuple[int, ...], ...]
    sets: tuple[tuple[int, ...], ...] = ()
    listed: tuple[Ints, Ints] | None = None
    """Sets as arrays instead, where there are many: where each begins, and their members."""

    @classmethod
    def plain(cls, count: int, sets: Sequence[Sequence[int]] = ()) -> Choices:
        """Choices that are nothing but themselves."""
        return cls(tuple((number,) for number in range(count)), tuple(map(tuple, sets)))

    @property
    def classes(self) -> int:
        """How many parts there are."""
        return 1 + max(max(parts, default=0) for parts in self.parts)

    @cached_property
    def kernel(self) -> ChoiceTable:
        """The choices for the kernels."""
        start = np.cumsum([0, *map(len, self.sets)], dtype=np.int32)
        member = np.array([choice for some in self.sets for choice in some], np.int32)
        set_start, set_member = (start, member) if self.listed is None else self.listed
        return ChoiceTable(
            start=np.cumsum([0, *map(len, self.parts)], dtype=np.int32),
            member=np.array([part for parts in self.parts for part in sorted(parts)], np.int32),
            parts=self.classes,
            set_start=set_start,
            set_member=set_member,
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
        self, templates: SequenceTemplates, choices: Choices, positions: Positions, kinds: Ints, chosen: Ints | None
    ) -> Margins:
        """How far what was chosen at each position is above the best other choice, and above that of another kind.

        Where nothing is chosen yet, the best is, one position after the other.
        """
        size, decide = len(positions.keys), chosen is None
        found = np.empty(size, np.int32) if chosen is None else chosen
        rivals, margins = np.empty((size, 2), np.int32), np.empty((size, 2), np.float32)
        Deciding(templates.kernel, choices.kernel, *self).greedily(*positions, found, kinds, rivals, margins, decide)
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


class SequenceLearning:
    """Weights while they are learned, and the positions that they are learned from."""

    def __init__(
        self, templates: SequenceTemplates, choices: Choices, positions: Positions, gold: Ints, learner: Online
    ) -> None:
        self.templates, self.choices, self.positions, self.gold = templates, choices, positions, gold
        self.learner = learner
        self.steps = 0
        self.weights = self._empty()
        self._ids: Ints | None = None

    def _empty(self) -> Weights:
        return Weights(
            self.choices.classes,
            variance=self.learner.variance,
            average=self.learner.average,
            initial=self.learner.initial_variance,
        )

    @property
    def ids(self) -> Ints:
        """The numbers of the features that look at no decision."""
        if self._ids is None:
            self._ids = np.empty((len(self.gold), max(1, self.templates.fixed)), np.int32)
            keys, offsets, _, _ = self.positions
            nothing = np.empty(0, np.int32)
            learning.number_features(
                self.templates.kernel, keys, offsets, self.positions.attributes, nothing, self.weights, self._ids
            )
        return self._ids

    def learn(
        self,
        number: int,
        order: Ints,
        random: np.random.Generator,
        progress: Callable[[float], None],
        *,
        explore: float = 0.0,
        drop: float = 0.0,
    ) -> dict[str, float]:
        """Pass number so and so over the sequences in the given order.

        With the chance `explore`, positions see what the model decided before them, right or wrong; with the chance
        `drop`, a feature is left out.
        """
        if self.learner.begins_average(number):
            self.weights.restart()
            self.steps = 0
        tally, rule = np.zeros(3, np.int64), self.learner.step_rule()
        seed = int(random.integers(1 << 62))
        keys, offsets, attributes, sets = self.positions
        for first in range(0, len(order), AT_ONCE):
            *counts, seed = learning.learn(
                *(self.templates.kernel, self.choices.kernel, keys, offsets, attributes, self.ids, sets, self.gold),
                *(order[first : first + AT_ONCE], self.weights, rule, float(self.steps), explore, drop, seed),
            )
            self.steps += counts[0]
            tally += counts
            progress(min(1.0, (first + AT_ONCE) / len(order)))
        examples, mistakes, updates = tally.tolist()
        return {"mistakes %": 100 * mistakes / max(1, examples), "updates": updates}

    def frozen(self, prune: float) -> tuple[SequenceWeights, int]:
        """The weights as they are now, averaged, and how many there are; see `freezing.frozen`."""
        slots, rows, size = freezing.frozen(self.weights, self.steps + 1, prune)
        return SequenceWeights(slots, rows), size

    @property
    def state(self) -> Layout:
        """What `pack` gives looks like."""
        return weights_state(self.choices.classes, self.learner, {"steps": whole(0, 2**53)})

    def pack(self) -> Packed:
        """What has been learned so far."""
        return Packed({"steps": self.steps}, dict(zip(STATE, self.weights.dump(), strict=True)))

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        self.weights, self._ids = self._empty(), None
        self.weights.restore(*(packed.arrays[name] for name in STATE))
        self.steps = packed.header["steps"]
