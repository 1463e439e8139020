"""Cross-validation: how many passes are best when each part is judged by what was learned from the others."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from headway.base.options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import fold, rebatched, sentences_of
from headway.training.choices import UNKNOWN, Choices, Curve, curve_of
from headway.training.loop import TrainingLoop

logger = logging.getLogger("headway")
MOST_PASSES = 15
"""Passes tried at most where their number is to be found."""


def best_passes(options: StageOptions, data: Sequence[Batch], folds: int, choices: Choices = UNKNOWN) -> int:
    """The number of passes with the best mean score when each fold is judged by what was learned from the others."""
    sentences = sentences_of(data)
    wanted: Any = options
    attempt = replace(wanted, passes=MOST_PASSES)

    def curve(number: int) -> Curve:
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        return curve_of(step.dev for step in TrainingLoop(attempt, others, dev=held_out, patience=MOST_PASSES))

    curves = []
    for number in range(folds):
        curves.append(choices.measured(attempt, partial(curve, number), fold=number, folds=folds))
        logger.info("fold %d of %d: %s", number + 1, folds, " ".join(f"{score:.2f}" for score in curves[-1].scores))
    means = [sum(column) / folds for column in zip(*(one.scores for one in curves), strict=True)]
    best = means.index(max(means)) + 1
    logger.warning("cross-validation: passes = %d is best (%s)", best, curves[0].said(max(means)))
    return best
