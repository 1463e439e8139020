"""Training on parts of a treebank: cross-validation, and output made on text that a stage has not seen."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from headway.batch import Batch, Codes
from headway.data import fold, rebatched, sentences_of
from headway.options import StageOptions
from headway.stage import PREDICTED
from headway.training.choices import UNKNOWN, Choices
from headway.training.loop import TrainingLoop

logger = logging.getLogger("headway")
MOST_PASSES = 15
"""Passes tried at most where their number is to be found."""


def best_passes(options: StageOptions, data: Sequence[Batch], folds: int, choices: Choices = UNKNOWN) -> int:
    """The number of passes with the best mean score when each fold is judged by what was learned from the others."""
    sentences = sentences_of(data)
    wanted: Any = options
    attempt = replace(wanted, passes=MOST_PASSES)

    def curve(number: int) -> list[float]:
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        loop = TrainingLoop(attempt, others, dev=held_out, patience=MOST_PASSES)
        return [step.dev.main if step.dev else 0.0 for step in loop]

    curves = []
    for number in range(folds):
        curves.append(choices.measured(attempt, partial(curve, number), fold=number, folds=folds))
        logger.info("fold %d of %d: %s", number + 1, folds, " ".join(f"{score:.2f}" for score in curves[-1]))
    means = [sum(column) / folds for column in zip(*curves, strict=True)]
    best = means.index(max(means)) + 1
    logger.warning("cross-validation: %d passes are best (LAS %.2f)", best, max(means))
    return best


def jackknifed(options: StageOptions, data: Sequence[Batch], folds: int) -> list[Batch]:
    """The same batches with a layer of what a stage predicts for each sentence that has not learned from it.

    Whoever learns from another stage's output learns from this: on text that the stage has seen, it makes too few
    mistakes. `folds` trainings, each without its fold.
    """
    sentences = sentences_of(data)
    found: dict[str, list[list[str]]] = {}
    for number in range(folds):
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        stage = TrainingLoop(options, others).run()
        annotated = sentences_of(stage.annotate(batch) for batch in held_out)
        for field in stage.gives:
            column = found.setdefault(field, [[] for _ in sentences])
            column[number::folds] = [sentence.column(field) for sentence in annotated]
    layered, first = [], 0
    for batch in data:
        last = first + len(batch)
        columns = {
            field: coded([cell for some in column[first:last] for cell in some]) for field, column in found.items()
        }
        heads = columns.pop("HEAD", None)
        numbers = None if heads is None else np.array([int(heads.names[code]) for code in heads.codes], np.int32)
        layered.append(batch.with_layer(PREDICTED, heads=numbers, columns=columns))
        first = last
    return layered


def coded(cells: Sequence[str]) -> Codes:
    """Strings as numbers of names."""
    names, codes = np.unique(np.array(cells, object), return_inverse=True) if cells else (np.empty(0), np.empty(0))
    return Codes(codes.astype(np.int32), tuple(names))
