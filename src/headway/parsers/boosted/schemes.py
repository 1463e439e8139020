"""How examples are weighted after a round, by whether the structures hold them right.

A scheme keeps a state, an array with a row for each example. `importance` is what the local model learns with: 1 on the
average at the beginning, so that priors mean the same whatever the scheme; one number for each example, or one for each
of its wrong classes. `update` gives the next state and the share
of the round's model in an ensemble.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.base.options import Options, built, positive
from headway.parsers.boosted.registry import SCHEMES

Floats = NDArray[np.float64]
SMALLEST = 1e-6
"""Errors count as at least this share, and at most as 1 less this share, so that no weight becomes infinite."""


@dataclass(frozen=True, kw_only=True)
class Scheme(Options, ABC):
    """A way to weight examples."""

    titled: ClassVar[bool] = True

    def begin(self, target: NDArray[Any], classes: int) -> Floats:
        """The state before the first round."""
        return np.ones(len(target))

    def importance(self, state: Floats) -> Floats:
        """The importance of each example, or of its wrong classes [example, class], for the local model."""
        return state

    @abstractmethod
    def update(self, state: Floats, target: NDArray[Any], predicted: NDArray[Any]) -> tuple[Floats, float]:
        """The state after a round that predicted these classes, and the share of its model."""


@dataclass(frozen=True, kw_only=True)
class Additive(Scheme):
    """Each mistake adds a constant. All models have the same share. Wang, Lin and Schuurmans (2007)."""

    constant: float = positive(1.0, "What a mistake adds to its importance.")

    def update(self, state: Floats, target: NDArray[Any], predicted: NDArray[Any]) -> tuple[Floats, float]:
        """Add the constant where the prediction is wrong."""
        return state + self.constant * (predicted != target), 1.0


@dataclass(frozen=True, kw_only=True)
class AdaBoostM1(Scheme):
    """The importance of what is right is multiplied by β = ε / (1 − ε), for the share ε of what is wrong.

    Ends where ε is a half or more. Freund and Schapire (1997).
    """

    def update(self, state: Floats, target: NDArray[Any], predicted: NDArray[Any]) -> tuple[Floats, float]:
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

    def begin(self, target: NDArray[Any], classes: int) -> Floats:
        """[example, class]: a weight for each wrong class."""
        state = np.full((len(target), classes), 1 / (classes - 1))
        state[np.arange(len(target)), target] = 0
        return state

    def update(self, state: Floats, target: NDArray[Any], predicted: NDArray[Any]) -> tuple[Floats, float]:
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

    def begin(self, target: NDArray[Any], classes: int) -> Floats:
        """No margins yet."""
        return np.zeros(len(target))

    def importance(self, state: Floats) -> Floats:
        """1 on the average."""
        loss = 0.5 * (1 - np.tanh(state / 2))
        scaled: Floats = loss * (len(state) / loss.sum())
        return scaled

    def update(self, state: Floats, target: NDArray[Any], predicted: NDArray[Any]) -> tuple[Floats, float]:
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
