"""Structured boosting: examples that a structured predictor gets wrong weigh more in the next round.

A task trains a local model with the importance of its examples, turns the model into structures, and says which class
each example has in them; nothing here knows of words and trees. Wang, Lin and Schuurmans (2007).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from headway.parsers.boosted.schemes import Floats, Scheme

Classes = NDArray[Any]
Mask = NDArray[np.bool_]
Model = TypeVar("Model")


class Task(Protocol[Model]):
    """Structured prediction with a local model that learns from weighted examples."""

    target: Classes
    """The right class of each example."""
    classes: int

    def train(self, importance: Floats, begin: Model | None) -> Model:
        """Learn from examples, or from their wrong classes [example, class], of this importance.

        `begin` is the model of the round before, where there is one, to begin with.
        """

    def predict(self, model: Model) -> Classes:
        """The class of each example in the structures that the model leads to."""


@dataclass(frozen=True, eq=False)
class Round(Generic[Model]):
    """One round of boosting."""

    number: int
    model: Model
    """What was learned in this round."""
    share: float
    """Its weight in the ensemble; 0 where it is of no use there."""
    predicted: Classes
    state: Floats
    """What the scheme knows after the round."""


def boost(
    task: Task[Model], scheme: Scheme, *, last: Round[Model] | None = None, folds: Sequence[Mask] = ()
) -> Iterator[Round[Model]]:
    """Round after round, from the first or after the last one that was done; the caller ends it.

    `folds` divide the examples, where they are given: the examples of each are then judged by a model that has learned
    from the others. It ends by itself where nothing is left to be weighted: no example was wrong, or too many were.
    """
    state = scheme.begin(task.target, task.classes) if last is None else last.state
    number, begin = (0, None) if last is None else (last.number, last.model)
    while True:
        importance = scheme.importance(state)
        model = task.train(importance, begin)
        predicted = held_out(task, importance, folds) if folds else task.predict(model)
        state, share = scheme.update(state, task.target, predicted)
        number, begin = number + 1, model
        done = Round(number, model, share, predicted, state)
        yield done
        if is_last(done, task.target):
            return


def is_last(done: Round[Any], target: Classes) -> bool:
    """Whether a round leaves nothing to be weighted: no example was wrong, or too many were."""
    return done.share <= 0 or not np.isfinite(done.share) or bool((done.predicted == target).all())


def held_out(task: Task[Model], importance: Floats, folds: Sequence[Mask]) -> Classes:
    """The class of each example in the structures that a model leads to which has not learned from its fold."""
    predicted = task.target.copy()
    for fold in folds:
        left_out = fold if importance.ndim == 1 else fold[:, None]
        model = task.train(np.where(left_out, 0.0, importance), None)
        predicted[fold] = task.predict(model)[fold]
    return predicted
