"""Learn from corrections, position by position: weights of one's own, and steps towards what is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence.updating import step_towards
from headway.kernels.weights.table import CLASSES as MOST_PARTS
from headway.kernels.weights.updating import OwnWeights
from headway.text.sequence.deciding import Choices, Positions, SequenceWeights

MARGIN = 0.1
"""By how much right choices are to win after a step, as in transition parsers."""


class LearningWeights(SequenceWeights):
    """Weights that corrections change."""

    def __init__(self, own: OwnWeights) -> None:
        self.own = own

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """The arrays as they are now."""
        return iter(self.own)

    def step(
        self,
        templates: SequenceTemplates,
        choices: Choices,
        positions: Positions,
        chosen: Ints,
        wanted: NDArray[np.bool_],
        margin: float,
    ) -> None:
        """Steps towards what is chosen where it is wanted."""
        step_towards(templates.kernel, choices.kernel, self.own, *positions, chosen, wanted.view(np.uint8), margin)


def learning_weights(weights: SequenceWeights, before: int, after: int, *, in_place: bool = False) -> LearningWeights:
    """Weights to change: these where that may be, else a copy; `before` parts have become `after`, new ones behind."""
    if after > MOST_PARTS:
        raise HeadwayError(f"the model has no room for more than {MOST_PARTS:,} tags and scripts; train it again")
    if isinstance(weights, LearningWeights):
        own, is_ours = weights.own, in_place
    else:
        try:
            own, is_ours = OwnWeights(weights.slots, weights.rows, before), True
        except ValueError as error:
            raise HeadwayError(f"the weights of the model are damaged: {error}; train it again") from None
    if after != before:
        return LearningWeights(own.renumbered(np.arange(before, dtype=np.int32), after))
    if is_ours:
        return weights if isinstance(weights, LearningWeights) else LearningWeights(own)
    return LearningWeights(own.copied())


def apart_from(before: SequenceWeights, weights: SequenceWeights) -> SequenceWeights:
    """Weights that change without those `before`, which somebody else has: a copy where they are the same."""
    if weights is before and isinstance(weights, LearningWeights):
        return LearningWeights(weights.own.copied())
    return weights
