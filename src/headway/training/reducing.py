"""Smaller models: weights that hardly matter are cut, and what is left is learned again, as long as dev is content."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from headway.kernels.weights.table import Weights
from headway.stages.contract import Stage
from headway.training.dev_scores import Judgement
from headway.training.sizes import Cuts

logger = logging.getLogger("headway")
PASSES = 2
"""Over the features that are left, after each cut."""
RARELY_COUNTED = ("RA", "CM")
"""Scores of whole sentences, which vary too much to decide anything."""


@runtime_checkable
class Reduces(Protocol):
    """A training whose weights can be cut; a capability beside the contract of trainings."""

    @property
    def reduction(self) -> Cuts:
        """How hard."""

    def cut(self, smallest: float) -> None:
        """Leave out weights not above this, and features without any; the others are learned on from here."""

    def root_mean_square(self) -> float:
        """That of all weights."""


def averaged(weights: Weights, steps: float, average: bool) -> tuple[Any, ...]:
    """What `Weights.dump` gives, with the averages in place of weights and of their sums."""
    keys, sizes, classes, planes = weights.dump()
    if average:
        planes[0] -= planes[-1] / np.float32(steps)
        planes[-1] = 0
    return keys, sizes, classes, planes


def root_mean_square(weights: Weights, steps: float, average: bool) -> float:
    """That of all weights which are not zero."""
    found = averaged(weights, steps, average)[3][0].astype(np.float64)
    return float(np.sqrt((found**2).sum() / max(1, np.count_nonzero(found))))


def cut_weights(weights: Weights, empty: Weights, steps: float, average: bool, smallest: float) -> Weights:
    """Put into `empty` weights their averages above `smallest`, and close it: it will take no other features."""
    keys, sizes, classes, planes = averaged(weights, steps, average)
    kept = np.abs(planes[0]) > smallest
    left = np.bincount(np.repeat(np.arange(len(keys)), sizes)[kept], minlength=len(keys))
    some = left > 0
    empty.restore(keys[some], left[some].astype(np.uint16), classes[kept], np.ascontiguousarray(planes[:, kept]))
    empty.close()
    return empty


def is_content(judgement: Judgement, before: Judgement, loss: float) -> bool:
    """Whether no score has fallen by more than `loss`."""
    return all(
        judgement.scores[name] >= score - loss for name, score in before.scores.items() if name not in RARELY_COUNTED
    )


def reduced(
    training: Reduces,
    learn: Callable[[], None],
    judge: Callable[[], tuple[Stage, Judgement | None]],
    before: Judgement | None,
) -> Stage | None:
    """The stage after the hardest cut that dev allows, else after the best one; None where there is none.

    `learn` makes one more pass, `judge` gives the stage as it is then and its scores on dev; `before` are those from
    where the cuts began.
    """
    shares, loss, blind = training.reduction
    unit = training.root_mean_square() if shares else 0.0
    found: list[tuple[Stage, Judgement | None]] = []
    for share in shares if before is not None else shares[:blind]:
        training.cut(share * unit)
        for _ in range(PASSES):
            learn()
        found.append(judge())
        logger.info("weights cut at %g: %s", share, found[-1][1])
    if before is None:
        return found[-1][0] if found else None
    good = [stage for stage, judgement in found if judgement is not None and is_content(judgement, before, loss)]
    return good[-1] if good else max(found, key=lambda pair: pair[1].main if pair[1] else 0.0)[0]
