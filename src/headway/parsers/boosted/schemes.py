"""Structured boosting: rounds, and how a scheme weights examples after each by whether the structures hold them right.

A task trains a local model with the importance of its examples, turns the model into structures, and says which class
each example has in them; nothing here knows of words and trees. Wang, Lin and Schuurmans (2007).

A scheme keeps a state, an array with a row for each example. `importance` is what the local model learns with: 1 on the
average at the beginning, so that priors mean the same whatever the scheme; one number for each example, or one for each
of its wrong classes. `update` gives the next state and the share of the round's model in an ensemble.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from headway.base.options import Options, built, positive
from headway.parsers.boosted.registry import SCHEMES

Classes = NDArray[Any]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Model = TypeVar("Model")
SMALLEST = 1e-6
"""Errors count as at least this share, and at most as 1 less this share, so that no weight becomes infinite."""


@dataclass(frozen=True, kw_only=True)
class Scheme(Options, ABC):
    """A way to weight examples."""

    titled: ClassVar[bool] = True

    def begin(self, target: Classes, classes: int) -> Floats:
        """The state before the first round."""
        return np.ones(len(target))

    def importance(self, state: Floats) -> Floats:
        """The importance of each example, or of its wrong classes [example, class], for the local model."""
        return state

    @abstractmethod
    def update(self, state: Floats, target: Classes, predicted: Classes) -> tuple[Floats, float]:
        """The state after a round that predicted these classes, and the share of its model."""


@dataclass(frozen=True, kw_only=True)
class Additive(Scheme):
    """Each mistake adds a constant. All models have the same share. Wang, Lin and Schuurmans (2007)."""

    constant: float = positive(1.0, "What a mistake adds to its importance.")

    def update(self, state: Floats, target: Classes, predicted: Classes) -> tuple[Floats, float]:
        """Add the constant where the prediction is wrong."""
        return state + self.constant * (predicted != target), 1.0


@dataclass(frozen=True, kw_only=True)
class AdaBoostM1(Scheme):
    """The importance of what is right is multiplied by β = ε / (1 − ε), for the share ε of what is wrong.

    Ends where ε is a half or more. Freund and Schapire (1997).
    """

    def update(self, state: Floats, target: Classes, predicted: Classes) -> tuple[Floats, float]:
        """The share of a model is log 1/β."""
        right = predicted == target
        error = clipped(float(state[~right].sum() / state.sum()))
        changed = state * np.where(right, error / (1 - error), 1.0)
        return changed * (len(state) / changed.sum()), float(np.log((1 - error) / error))


@dataclass(frozen=True, kw_only=True)
class AdaBoostM2(Scheme):
    """Each wrong class of each example, a mislabel, has a weight D(i, y) of its own, which the local model learns by.

    The pseudo-loss is ε = ½ Σ D(i, y) (1 − h(i, yᵢ) + h(i, y)), where h is 1 for the class in the structure and 0 for
    the others. A local model that takes no mislabels learns by their sum, Σ_y D(i, y). Freund and Schapire (1997).
    """

    def begin(self, target: Classes, classes: int) -> Floats:
        """[example, class]: a weight for each wrong class."""
        state = np.full((len(target), classes), 1 / (classes - 1))
        state[np.arange(len(target)), target] = 0
        return state

    def update(self, state: Floats, target: Classes, predicted: Classes) -> tuple[Floats, float]:
        """D(i, y) is multiplied by β^½(1 + h(i, yᵢ) − h(i, y)); the share of a model is log 1/β."""
        said = np.zeros_like(state)
        said[np.arange(len(target)), predicted] = 1
        right = (predicted == target).astype(float)[:, None]
        error = clipped(float((state * (1 - right + said)).sum() / (2 * state.sum())))
        changed = state * (error / (1 - error)) ** ((1 + right - said) / 2)
        return changed * (len(state) / changed.sum()), float(np.log((1 - error) / error))


@dataclass(frozen=True, kw_only=True)
class LogisticLoss(Scheme):
    """The state is each example's margin s, and its importance 1 / (1 + eˢ): mistakes weigh no more than that.

    Each round moves margins by α = ½ log(W₊ / W₋), up where the example is right and down where it is wrong, with
    W the importance of either. Collins, Schapire and Singer (2002), sequential updates.
    """

    def begin(self, target: Classes, classes: int) -> Floats:
        """No margins yet."""
        return np.zeros(len(target))

    def importance(self, state: Floats) -> Floats:
        """1 on the average."""
        loss = 0.5 * (1 - np.tanh(state / 2))
        scaled: Floats = loss * (len(state) / loss.sum())
        return scaled

    def update(self, state: Floats, target: Classes, predicted: Classes) -> tuple[Floats, float]:
        """The share of a model is α."""
        right, importance = predicted == target, self.importance(state)
        error = clipped(float(importance[~right].sum() / importance.sum()))
        share = 0.5 * float(np.log((1 - error) / error))
        return state + share * np.where(right, 1.0, -1.0), share


def clipped(error: float) -> float:
    """An error that is neither nothing nor everything."""
    return min(max(error, SMALLEST), 1 - SMALLEST)


def scheme(wanted: str | Scheme, constant: float | None = None) -> Scheme:
    """The scheme of that name; only `additive` has a constant."""
    if not isinstance(wanted, str):
        return wanted
    given = {} if constant is None else {"constant": constant}
    return built(SCHEMES[wanted], f"boosting scheme {wanted}", given)


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
