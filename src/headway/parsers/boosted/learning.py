"""Learning a linear model of pairs, part by part."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from headway.parsers.boosted.dynamic import CLASSES
from headway.parsers.boosted.examples import ExamplesByFeature, PairExamples
from headway.parsers.boosted.linear import Floats, LinearModel, WeightEntries, linear_model


class LinearLearner(Protocol):
    """What learns weights of features from examples with their importance."""

    def fit(self, columns: ExamplesByFeature, importance: Floats, weights: Floats) -> None:
        """Change weights [feature, class], from which learning begins, to what is learned."""


def understood(learner: object, importance: Floats) -> Floats:
    """The importance of each example, where that of its wrong classes [example, class] is more than a learner takes."""
    if importance.ndim == 1 or getattr(learner, "takes_mislabels", False):
        return importance
    total: Floats = importance.sum(axis=1)
    return total


def learn(
    pairs: PairExamples,
    importance: Floats,
    learner: LinearLearner,
    *,
    begin: LinearModel | None = None,
    threads: int = 1,
    progress: Callable[[float], None] = lambda share: None,
) -> LinearModel:
    """The model of all parts, each learned on its own; it does not depend on the number of threads.

    `begin` is a model to begin with, such as that of the last round.
    """
    importance = understood(learner, importance)

    def learn_part(part: int) -> WeightEntries:
        columns = pairs.columns(part)
        weights = np.zeros((len(columns.keys), CLASSES)) if begin is None else begin.rows(columns.keys, CLASSES)
        learner.fit(columns, importance[pairs.members(part)], weights)
        features, classes = np.nonzero(weights)
        return WeightEntries(
            columns.keys[features], classes.astype(np.int32), weights[features, classes].astype(np.float32)
        )

    largest_first = np.argsort(-np.diff(pairs.bounds), kind="stable").tolist()
    found, done = [], 0
    with ThreadPoolExecutor(threads) as pool:
        for part, entries in zip(largest_first, pool.map(learn_part, largest_first), strict=True):
            found.append(entries)
            done += int(pairs.bounds[part + 1] - pairs.bounds[part])
            progress(done / len(pairs))
    return linear_model(found)
