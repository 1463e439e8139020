"""Linear models of hashed features: weights of as many classes as a feature has any for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.boosting.nodes import Nodes
from headway.kernels.features.lookup import Lookup
from headway.stage import Array

Keys = NDArray[np.uint64]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class WeightEntries(NamedTuple):
    """Weights one by one: those of class classes[i] for the feature keys[i]."""

    keys: Keys
    classes: Ints
    weights: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Feature keys[f] has weights[start[f] : start[f + 1]] for as many `classes`; keys are in ascending order."""

    keys: Keys
    start: Longs
    classes: Ints
    weights: NDArray[np.float32]

    @cached_property
    def known(self) -> Lookup:
        """The numbers of the features."""
        return Lookup(self.keys)

    def static(self, nodes: Nodes) -> Floats:
        """The scores of all pairs, as the decoder's cells want them."""
        sizes = np.diff(nodes.offsets).astype(np.int64) + 1
        scores = np.zeros((int((sizes * sizes).sum()), 3))
        nodes.table.score(self.known, self.start, self.classes, self.weights, nodes.offsets, scores)
        return scores

    @property
    def arrays(self) -> dict[str, Array]:
        """The model as arrays for a file."""
        return {"keys": self.keys, "start": self.start, "classes": self.classes, "weights": self.weights}

    def rows(self, keys: Keys, classes: int) -> Floats:
        """The weights of features as a matrix [key, class]; those of unknown features are 0."""
        numbers = np.empty(keys.size, np.int32)
        self.known.find(np.ascontiguousarray(keys).reshape(-1), numbers)
        found = np.flatnonzero(numbers >= 0)
        first, sizes = self.start[numbers[found]], np.diff(self.start)[numbers[found]]
        at = np.repeat(first - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
        matrix = np.zeros((keys.size, classes))
        matrix[np.repeat(found, sizes), self.classes[at]] = self.weights[at]
        return matrix.reshape(*keys.shape, classes)


def linear_model(parts: Sequence[WeightEntries]) -> LinearModel:
    """The model of all entries, which may come in any order; zeros are left out."""
    keys, classes, weights = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.lexsort((classes, keys))
    order = order[weights[order] != 0]
    distinct, counts = np.unique(keys[order], return_counts=True)
    return LinearModel(
        keys=distinct.astype(np.uint64),
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        classes=classes[order].astype(np.int32),
        weights=weights[order].astype(np.float32),
    )


def mixed(models: Sequence[LinearModel], shares: Sequence[float]) -> LinearModel:
    """The model whose scores are the weighted mean of those of several models."""
    total = sum(shares)
    keys = np.concatenate([np.repeat(model.keys, np.diff(model.start)) for model in models])
    classes = np.concatenate([model.classes for model in models])
    weights = np.concatenate(
        [np.float64(share / total) * model.weights for model, share in zip(models, shares, strict=True)]
    )
    order = np.lexsort((classes, keys))
    keys, classes, weights = keys[order], classes[order], weights[order]
    new = np.ones(len(keys), bool)
    new[1:] = (keys[1:] != keys[:-1]) | (classes[1:] != classes[:-1])
    first = np.flatnonzero(new)
    sums = np.add.reduceat(weights, first) if len(first) else weights
    return linear_model([WeightEntries(keys[first], classes[first], sums.astype(np.float32))])
