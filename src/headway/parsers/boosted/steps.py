"""Passive-aggressive steps on some weights of a linear model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.parsers.boosted.linear import Floats, Keys, LinearModel, Longs, WeightEntries

LARGEST = 1e30
"""Weights stay below this, so that their sums are numbers."""


class Features(NamedTuple):
    """Some features, one after the other, and how far the weights of each move beside others."""

    keys: Keys
    """Those that are distinct, in ascending order."""
    row: Longs
    """For each feature, which of them it is."""
    rates: Floats
    """Of those that are distinct."""

    @classmethod
    def of(cls, keys: Keys, rates: Floats) -> Features:
        """Features with their rates; equal ones have equal rates."""
        distinct, first, row = np.unique(keys, return_index=True, return_inverse=True)
        return cls(distinct, row, rates[first])

    @classmethod
    def often(cls, keys: Keys) -> Features:
        """Features whose weights move the less, the more often they are there."""
        distinct, row, often = np.unique(keys, return_inverse=True, return_counts=True)
        return cls(distinct, row, 1 / often**2)

    def some(self, which: NDArray[np.bool_]) -> Features:
        """Those of the features that are chosen, with the rates that they have among all."""
        distinct, row = np.unique(self.row[which], return_inverse=True)
        return Features(self.keys[distinct], row, self.rates[distinct])


class Steps:
    """Passive-aggressive steps on some weights of a model, one after the other.

    Each weight has a rate: small ones move more, and features have rates of their own. What frequent features have
    learned is worth more than one sentence. Crammer et al. (2006), with a variance for each weight that stays.
    """

    def __init__(self, model: LinearModel, features: Features, classes: int) -> None:
        """Know the features whose weights may move."""
        self.features = features
        self.weights = model.rows(features.keys, classes)
        self.before = self.weights.copy()

    def towards(self, parts: Sequence[tuple[Longs, int, float]], wanted: float) -> None:
        """Let a sum of weights, each of a feature, by its row, for a class with its sign, be at least `wanted`."""
        size = self.weights.shape[1]
        places = np.concatenate([rows * size + which for rows, which, _ in parts])
        signs = np.repeat([sign for _, _, sign in parts], [len(rows) for rows, _, _ in parts])
        at, which = np.unique(places, return_inverse=True)
        delta, weights = np.bincount(which, signs), self.weights.reshape(-1)
        here = weights[at]
        margin, sizes = float(here @ delta), np.abs(here)
        rates = self.features.rates[at // size] / (1 + sizes / (sizes.mean() or 1.0)) ** 2
        total = float((rates * delta**2).sum())
        if margin < wanted and total:
            weights[at] += (wanted - margin) / total * rates * delta

    def moved(self) -> WeightEntries:
        """What is to be added to the weights of the model."""
        if not (np.abs(self.weights) < LARGEST).all():
            raise HeadwayError("the weights of the model are so large that nothing can be added; train it again")
        rows, columns = np.nonzero(self.weights != self.before)
        moved = (self.weights[rows, columns] - self.before[rows, columns]).astype(np.float32)
        return WeightEntries(self.features.keys[rows], columns.astype(np.int32), moved)
