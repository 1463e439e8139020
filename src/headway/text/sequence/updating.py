"""Learn from corrections, position by position: weights of one's own, and steps towards what is right."""

from __future__ import annotations

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
    """Weights that corrections change, which no other stage has."""

    packed: OwnWeights

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
        step_towards(templates.kernel, choices.kernel, self.packed, *positions, chosen, wanted.view(np.uint8), margin)


def learning_weights(weights: SequenceWeights, before: int, after: int, *, in_place: bool = False) -> LearningWeights:
    """Weights to change: these where that may be, else a copy; `before` parts have become `after`, new ones behind."""
    if after > MOST_PARTS:
        raise HeadwayError(f"the model has no room for more than {MOST_PARTS:,} tags and scripts; train it again")
    is_ours = in_place and isinstance(weights, LearningWeights)
    if is_ours and after == before:
        return weights  # type: ignore[return-value]
    own = weights.packed if is_ours else OwnWeights.of_others(weights.packed)
    return LearningWeights(own if after == before else own.with_classes(np.arange(before, dtype=np.int32), after))


def apart_from(before: SequenceWeights, weights: SequenceWeights) -> SequenceWeights:
    """Weights that change without those `before`, which somebody else has: a copy where they are the same."""
    if weights is before and isinstance(weights, LearningWeights):
        return LearningWeights(OwnWeights.of_others(weights.packed))
    return weights
