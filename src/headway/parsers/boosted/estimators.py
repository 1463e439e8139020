"""Classifiers of scikit-learn that have probabilities but no weights of features: kept in memory, never in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headway.learners.batch import library
from headway.parsers.boosted.linear import Floats, Keyed
from headway.parsers.boosted.pair_features import CLASSES, Nodes, PairExamples

LEAST = 1e-6
"""The probability of a class that a classifier takes to be impossible: a tree may need it all the same."""


@dataclass(frozen=True, eq=False)
class EstimatorModel(Keyed):
    """A fitted classifier of all pairs; the number of a feature is its column in the matrix."""

    estimator: Any

    def static(self, nodes: Nodes) -> Floats:
        """The logarithms of probabilities, as the decoder's cells want them."""
        pairs = PairExamples(nodes, np.zeros(int(nodes.offsets[-1]), np.int32))
        scores = np.zeros((int(((np.diff(nodes.offsets).astype(np.int64) + 1) ** 2).sum()), CLASSES))
        start, keys = pairs.keys(np.arange(len(pairs), dtype=np.int32))
        numbers = np.empty(len(keys), np.int32)
        self.known.find(keys, numbers)
        found = np.full((len(pairs), CLASSES), LEAST)
        probabilities = self.estimator.predict_proba(matrix_of(start, numbers, len(self.keys)))
        found[:, self.estimator.classes_] = np.maximum(probabilities, LEAST)
        scores[cells_of(pairs)] = np.log(found)
        return scores


@dataclass(frozen=True, eq=False)
class Mixture:
    """Several models, each with its share."""

    models: Sequence[EstimatorModel]
    shares: Sequence[float]

    def static(self, nodes: Nodes) -> Floats:
        """The weighted mean of what they say."""
        return np.asarray(np.average([model.static(nodes) for model in self.models], axis=0, weights=self.shares))


@dataclass(frozen=True)
class OpaqueLocal:
    """Any classifier of scikit-learn that takes sample weights and gives probabilities. It sees all pairs at once."""

    estimator: Any

    def learn(self, pairs: PairExamples, importance: Floats) -> EstimatorModel:
        """Fit a copy of the classifier."""
        start, keys = pairs.keys(np.arange(len(pairs), dtype=np.int32))
        distinct, numbers = np.unique(keys, return_inverse=True)
        used = importance > 0
        estimator = library("sklearn.base").clone(self.estimator)
        matrix = matrix_of(start, numbers, len(distinct))
        estimator.fit(matrix[used], pairs.target[used], sample_weight=importance[used])
        return EstimatorModel(distinct, estimator)


def matrix_of(start: Any, numbers: Any, columns: int) -> Any:
    """Pairs as a sparse matrix of ones; features without a number are left out."""
    rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
    known = numbers >= 0
    shape = (len(start) - 1, columns)
    return library("scipy.sparse").csr_matrix((np.ones(int(known.sum())), (rows[known], numbers[known])), shape)


def cells_of(pairs: PairExamples) -> Any:
    """The decoder's cell of each pair."""
    sizes = np.diff(pairs.nodes.offsets).astype(np.int64) + 1
    sentence = np.repeat(np.arange(len(sizes)), sizes * (sizes - 1) // 2)
    node, cell = np.cumsum(sizes) - sizes, np.cumsum(sizes**2) - sizes**2
    first, second = pairs.first - node[sentence], pairs.second - node[sentence]
    return cell[sentence] + first * sizes[sentence] + second


def is_linear(estimator: Any) -> bool:
    """Whether a fitted copy of a classifier has weights of features."""
    fitted = library("sklearn.base").clone(estimator).fit(np.eye(6), [0, 1, 2, 0, 1, 2])
    return hasattr(fitted, "coef_") or hasattr(fitted, "feature_log_prob_")
