"""Linear models of hashed features, with weights of as many classes as a feature has any for; and steps on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.base.schema import Array, Arrays, Numbers, Relation
from headway.data.batch import Ints
from headway.kernels.features.lookup import Lookup, merge

if TYPE_CHECKING:
    from headway.parsers.boosted.pair_features import Nodes

Keys = NDArray[np.uint64]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
ARRAYS = ("keys", "start", "classes", "weights")
LARGEST = 1e30
"""Weights that steps move stay below this, so that their sums are numbers."""


class WeightEntries(NamedTuple):
    """Weights one by one: those of class classes[i] for the feature keys[i]."""

    keys: Keys
    classes: Ints
    weights: NDArray[np.float32]

    @classmethod
    def of(cls, keys: Keys, weights: Floats) -> WeightEntries:
        """Those of a matrix [key, class] that are not 0."""
        rows, classes = np.nonzero(weights)
        return cls(keys[rows], classes.astype(np.int32), weights[rows, classes].astype(np.float32))


@dataclass(frozen=True, eq=False)
class Keyed(PickledByFields):
    """Features by their keys, in ascending order."""

    keys: Keys

    @cached_property
    def known(self) -> Lookup:
        """The numbers of the features."""
        return Lookup(self.keys)


@dataclass(frozen=True, eq=False)
class LinearModel(Keyed):
    """Feature keys[f] has weights[start[f] : start[f + 1]] for as many `classes`."""

    start: Longs
    classes: Ints
    weights: NDArray[np.float32]

    def static(self, nodes: Nodes) -> Floats:
        """The scores of all pairs, as the decoder's cells want them."""
        sizes = np.diff(nodes.offsets).astype(np.int64) + 1
        scores = np.zeros((int((sizes * sizes).sum()), 3))
        nodes.table.score(self.known, self.start, self.classes, self.weights, nodes.offsets, scores)
        return scores

    def packed(self, prefix: str) -> dict[str, Array]:
        """The model as arrays for a file, whose names begin so."""
        return {f"{prefix}_{name}": getattr(self, name) for name in ARRAYS}

    @property
    def entries(self) -> WeightEntries:
        """Its weights one by one."""
        return WeightEntries(np.repeat(self.keys, np.diff(self.start)), self.classes, self.weights)

    def rows(self, keys: Keys, classes: int) -> Floats:
        """The weights of features as a matrix [key, class]; those of unknown features are 0."""
        numbers = np.empty(keys.size, np.int32)
        self.known.find(np.ascontiguousarray(keys).reshape(-1), numbers)
        found = np.flatnonzero(numbers >= 0)
        first = self.start[numbers[found]]
        sizes = self.start[numbers[found] + 1] - first
        at = np.repeat(first - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
        matrix = np.zeros((keys.size, classes))
        matrix[np.repeat(found, sizes), self.classes[at]] = self.weights[at]
        return matrix.reshape(*keys.shape, classes)

    def sums(self, keys: Keys, classes: int) -> Floats:
        """The weights of features [feature, …] added up over the first axis, […, class]; most may be unknown."""
        sums, each = np.zeros((keys[0].size, classes)), np.arange(keys[0].size)
        for some in keys:
            self.known.add_weights(self.start, self.classes, self.weights, some.reshape(-1), each, sums)
        return sums.reshape(*keys.shape[1:], classes)

    def totals(self, keys: Keys, group: Longs, groups: int, classes: int) -> Floats:
        """The weights of features added up by groups, [group, class]; feature keys[i] is of group[i]."""
        totals = np.zeros((groups, classes))
        self.known.add_weights(self.start, self.classes, self.weights, keys, group, totals)
        return totals


def numbers(prefix: str, classes: int) -> dict[str, Numbers]:
    """The arrays of a linear model in a model file."""
    return {
        f"{prefix}_keys": Numbers("<u8"),
        f"{prefix}_start": Numbers("<i8", rising=True),
        f"{prefix}_classes": Numbers("<i4", low=0, high=classes - 1),
        f"{prefix}_weights": Numbers("<f4", finite=True),
    }


def relations(arrays: Arrays, prefix: str) -> Iterator[Relation]:
    """What must hold so that nothing is looked up outside of the arrays."""
    model = unpacked(arrays, prefix)
    yield len(model.start) == len(model.keys) + 1, f"{prefix}_keys and {prefix}_start do not go together"
    yield int(model.start[-1]) == len(model.classes), f"{prefix}_start does not end where {prefix}_classes do"
    yield len(model.weights) == len(model.classes), f"there are not as many {prefix}_weights as {prefix}_classes"


def unpacked(arrays: Arrays, prefix: str) -> LinearModel:
    """The linear model of the arrays whose names begin so."""
    return LinearModel(*(arrays[f"{prefix}_{name}"] for name in ARRAYS))


def linear_model(parts: Sequence[WeightEntries]) -> LinearModel:
    """The model of all entries, which may come in any order; equal ones are added up, zeros are left out."""
    keys, classes, weights = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.lexsort((classes, keys))
    keys, classes, weights = keys[order], classes[order], weights[order]
    is_new = np.ones(len(keys), bool)
    is_new[1:] = (keys[1:] != keys[:-1]) | (classes[1:] != classes[:-1])
    if not is_new.all():
        keys, classes = keys[is_new], classes[is_new]
        weights = np.add.reduceat(weights, np.flatnonzero(is_new))
    weights = weights.astype(np.float32)
    used = weights != 0
    distinct, counts = np.unique(keys[used], return_counts=True)
    return LinearModel(
        keys=distinct.astype(np.uint64),
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        classes=classes[used].astype(np.int32),
        weights=weights[used],
    )


def mixed(models: Sequence[LinearModel], shares: Sequence[float]) -> LinearModel:
    """The model whose scores are the weighted mean of those of several models."""
    both = zip(models, np.array(shares, np.float64) / sum(shares), strict=True)
    return linear_model([model.entries._replace(weights=share * model.weights) for model, share in both])


def added(model: LinearModel, entries: WeightEntries) -> LinearModel:
    """The model with weights that are added to its own; entries are distinct. Linear time, mostly that of copying."""
    order = np.lexsort((entries.classes, entries.keys))
    features, size = len(model.keys) + len(order), len(model.weights) + len(order)
    keys, start = np.empty(features, np.uint64), np.empty(features + 1, np.int64)
    classes, weights = np.empty(size, np.int32), np.empty(size, np.float32)
    features = merge(
        *(model.keys, model.start, model.classes, model.weights),
        *(entries.keys[order], entries.classes[order], entries.weights[order]),
        *(keys, start, classes, weights),
    )
    size = int(start[features])
    found = LinearModel(keys[:features], start[: features + 1], classes[:size], weights[:size])
    if features == len(model.keys):
        vars(found)["known"] = model.known  # the same features
    return found


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

    def step(self, parts: Sequence[tuple[Longs, int, float]], wanted: float) -> None:
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
