"""Training a stage that decides position by position: passes over the sequences of a treebank."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from headway.base.schema import Array, Layout
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence import learning
from headway.kernels.weights import packing
from headway.kernels.weights.table import Weights
from headway.learners.online import Online
from headway.learners.registry import described
from headway.stages.contract import Packed, Stage
from headway.text.sequence.deciding import Choices, Positions, SequenceWeights
from headway.training.contract import Progress
from headway.training.passes import STATE, PassTraining, weights_state

AT_ONCE = 1 << 10
"""Sequences learned in one call of the kernel; in between the user may interrupt."""


class SequenceLearning:
    """Weights while they are learned, and the positions that they are learned from."""

    def __init__(
        self, templates: SequenceTemplates, choices: Choices, positions: Positions, gold: Ints, learner: Online
    ) -> None:
        self.templates, self.choices, self.positions, self.gold = templates, choices, positions, gold
        self.learner = learner
        self.steps = 0
        self.weights = self.empty()

    def empty(self) -> Weights:
        own = self.learner
        return Weights(self.choices.classes, variance=own.variance, average=own.average, initial=own.initial_variance)

    @cached_property
    def ids(self) -> Ints:
        """The numbers of the features that look at no decision."""
        ids, nothing = np.empty((len(self.gold), max(1, self.templates.fixed)), np.int32), np.empty(0, np.int32)
        learning.number_features(self.templates.kernel, *self.positions[:3], nothing, self.weights, ids)
        return ids

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

    def packed(self, prune: float, *, exact: bool = False) -> tuple[SequenceWeights, int]:
        """The weights as they are now, averaged, and how many there are; see `packing.packed`."""
        packed, size = packing.packed(self.weights, self.steps + 1, prune, exact=exact)
        return SequenceWeights(packed), size

    def restore(self, steps: int, arrays: Iterable[Array]) -> None:
        """Go on from weights as `Weights.dump` gives them, learned in so many steps."""
        self.__dict__.pop("ids", None)
        self.weights, self.steps = self.empty(), steps
        self.weights.restore(*arrays)


class SequenceTraining(PassTraining, ABC):
    """A training in passes; what a kind of stage has of its own is how it prepares `learning`, and `stage`."""

    explore = 0.0
    """How often, from the second pass on, positions see what was decided before them."""

    def __init__(self, options: Any, learning: SequenceLearning, digest: str, counts: Mapping[str, int]) -> None:
        """`digest` is that of the treebank, `counts` says how much it has: sentences, words."""
        self.options, self.learning, self.learner = options, learning, learning.learner
        self.digest, self.treebank_counts, self.prune = digest, counts, options.prune

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank once."""
        random, explore = self.random_of(number), self.explore if number > 1 else 0.0
        order = self.order_of(len(self.learning.positions.offsets) - 1, random)
        scores: dict[str, float] = self.learning.learn(
            number, order, random, progress, explore=explore, drop=self.options.drop
        )
        self.passes = number
        return scores

    def candidates(self) -> Sequence[Stage]:
        """The stage as it is now."""
        weights, size = self.learning.packed(0.0 if self.options.exact else self.prune, exact=self.options.exact)
        about: dict[str, Any] = {
            "family": self.options.family,
            "options": self.options.identity(),
            "learner": described(self.learner),
            "passes": self.passes,
            **self.treebank_counts,
            "features": len(self.learning.weights),
            "weights": size,
            "treebank_digest": self.digest,
        }
        return [self.stage(weights, about)]

    def _forget(self) -> None:
        """Numbers of features are new."""
        self.learning.__dict__.pop("ids", None)

    @abstractmethod
    def stage(self, weights: SequenceWeights, about: dict[str, Any]) -> Stage:
        """The stage with these weights; `about` says where they come from."""

    @property
    def state(self) -> Layout:
        """What `pack` gives looks like."""
        return weights_state(self.learning.choices.classes, self.learner, self.counts)

    def pack(self) -> Packed:
        """What has been learned so far."""
        arrays = dict(zip(STATE, self.learning.weights.dump(), strict=True))
        return Packed({"steps": self.learning.steps, "passes": self.passes}, arrays)

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        self.learning.restore(packed.header["steps"], (packed.arrays[name] for name in STATE))
        self.passes = packed.header["passes"]
