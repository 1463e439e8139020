"""Probabilities from evidence: logistic regression on a sum of curves, one for each number, and of effects of groups.

A curve is a line with bends at quantiles of the number; bending and effects are held back by a penalty, so that what
little evidence there is of either counts little. Hastie and Tibshirani (1986), with the penalty of Eilers and Marx
(1996); a curve without bends over the margin alone is Platt's (1999) way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.stages.calibration.evidence import Evidence

Doubles = NDArray[np.float64]
BENDS = 8
"""At how many places a curve has values of its own."""
BENDING, EFFECT, LEVEL = 10.0, 20.0, 0.01
"""Penalties: of the square of each bend, of each effect of a group, and of each value of a curve.

Chosen on stretches of treebanks that lie behind those which were calibrated on.
"""
STEPS, PRECISION = 25, 1e-8


@dataclass(frozen=True, eq=False)
class AdditiveModel:
    """Log odds: an intercept, a curve for each number, an effect for each group."""

    intercept: float
    places: Mapping[str, Doubles]
    """Where the curve of each number has values, in ascending order; it is constant beyond the first and last."""
    curves: Mapping[str, Doubles]
    effects: Mapping[str, Doubles]
    """Of each kind of a group; kinds beyond the last have none."""

    def probabilities(self, evidence: Evidence) -> Doubles:
        """Of being right, for each word or sentence. Linear time."""
        missing = [name for name in self.curves if name not in evidence.numbers]
        missing += [name for name in self.effects if name not in evidence.groups]
        if missing:
            raise HeadwayError(
                f"the calibrator asks for {missing[0]!r}, which this stage does not tell; calibrate again"
            )
        first = next(iter((*evidence.numbers.values(), *evidence.groups.values())))
        total = np.full(len(first), self.intercept)
        for name, values in self.curves.items():
            total += np.interp(evidence.numbers[name], self.places[name], values)
        for name, values in self.effects.items():
            total += np.append(values, 0.0)[np.minimum(evidence.groups[name], len(values))]
        return sigmoid(total)


def sigmoid(log_odds: Doubles) -> Doubles:
    """Probabilities from log odds, without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * log_odds)))


def fit(evidence: Evidence, right: NDArray[np.bool_], elsewhere: NDArray[np.bool_] | None = None) -> AdditiveModel:
    """The model with the highest likelihood less its penalties, by Newton's method.

    `right` says of each word whether it was; O(words × terms²) for each of a few steps. Words `elsewhere` are of text
    in which words are right more or less often, whatever the evidence: curves and effects are learned from them, too,
    the intercept from the others alone.
    """
    levels = [np.ones(len(right))] if elsewhere is None else [np.ones(len(right)), elsewhere.astype(np.float64)]
    places = {name: bends(values) for name, values in evidence.numbers.items()}
    sizes = {name: int(codes.max(initial=-1)) + 1 for name, codes in evidence.groups.items()}
    design = np.hstack(
        [
            np.stack(levels, axis=1),
            *(hats(evidence.numbers[name], at) for name, at in places.items()),
            *(evidence.groups[name][:, None] == np.arange(size) for name, size in sizes.items()),
        ]
    )
    held = penalty(list(map(len, places.values())), list(sizes.values()), free=len(levels))
    found = newton(design, right, held)
    ends = np.cumsum([len(levels), *map(len, places.values()), *sizes.values()])
    pieces = np.split(found, ends)[1:-1]
    return AdditiveModel(
        float(found[0]),
        places,
        dict(zip(places, pieces, strict=False)),
        dict(zip(sizes, pieces[len(places) :], strict=True)),
    )


def bends(values: NDArray[Any]) -> Doubles:
    """Quantiles of the finite values, each once; at least one place."""
    finite = values[np.isfinite(values)].astype(np.float64)
    if not len(finite):
        return np.zeros(1)
    # As numbers are given, so that no two places are closer than those can be.
    return np.unique(np.quantile(finite, np.linspace(0.0, 1.0, BENDS)).astype(np.float32)).astype(np.float64)


def hats(values: NDArray[Any], places: Doubles) -> Doubles:
    """[value, place]: how much the value of a curve at each place counts for that of the curve at the value."""
    clipped = np.clip(values.astype(np.float64), places[0], places[-1])
    left = np.clip(np.searchsorted(places, clipped, side="right") - 1, 0, max(0, len(places) - 2))
    found = np.zeros((len(values), len(places)))
    rows = np.arange(len(values))
    if len(places) == 1:
        found[:, 0] = 1.0
        return found
    share = (clipped - places[left]) / (places[left + 1] - places[left])
    found[rows, left], found[rows, left + 1] = 1.0 - share, share
    return found


def penalty(curves: Sequence[int], groups: Sequence[int], free: int = 1) -> Doubles:
    """The matrix of the penalty for intercepts, which are free, curves with so many places, groups of so many kinds."""
    found = np.zeros((free + sum(curves) + sum(groups),) * 2)
    at = free
    for size in curves:
        bending = np.diff(np.eye(size), 2, axis=0)
        found[at : at + size, at : at + size] = BENDING * bending.T @ bending + LEVEL * np.eye(size)
        at += size
    for size in groups:
        found[at : at + size, at : at + size] = EFFECT * np.eye(size)
        at += size
    return found


def newton(design: Doubles, right: NDArray[np.bool_], held: Doubles) -> Doubles:
    """The coefficients at which likelihood less half of the penalty is highest."""
    share = np.clip(right.mean() if len(right) else 0.5, 1e-3, 1 - 1e-3)
    found = np.zeros(design.shape[1])
    found[0] = np.log(share / (1 - share))
    objective = _objective(design, right, held, found)
    for _ in range(STEPS):
        chance = sigmoid(design @ found)
        slope = design.T @ (right - chance) - held @ found
        curvature = (design * (chance * (1 - chance))[:, None]).T @ design + held
        curvature[np.diag_indices_from(curvature)] += 1e-9
        step = np.linalg.solve(curvature, slope)
        for _ in range(STEPS):
            after = _objective(design, right, held, found + step)
            if after >= objective:
                break
            step /= 2
        found = found + step
        if after - objective <= PRECISION * (1 + abs(objective)):
            break
        objective = after
    return found


def _objective(design: Doubles, right: NDArray[np.bool_], held: Doubles, at: Doubles) -> float:
    """Log likelihood less half of the penalty."""
    log_odds = design @ at
    likelihood = -np.logaddexp(0.0, np.where(right, -log_odds, log_odds)).sum()
    return float(likelihood - 0.5 * at @ held @ at)
