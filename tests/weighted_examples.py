"""Weighted examples with binary features, as matrices and as the columns that local learners take."""

import numpy as np

from headway.parsers.boosted.pair_features import ExamplesByFeature


def columns_from(matrix, target):
    """A dense matrix of zeros and ones by its columns."""
    members = [np.flatnonzero(column) for column in matrix.T]
    start = np.cumsum([0, *map(len, members)], dtype=np.int64)
    member = np.concatenate([*members, np.empty(0)]).astype(np.int32)
    return ExamplesByFeature(start, member, np.arange(matrix.shape[1], dtype=np.uint64), target.astype(np.int32))


def random_problem(seed, examples=60, features=12, classes=3):
    rng = np.random.default_rng(seed)
    matrix = (rng.random((examples, features)) < 0.35).astype(float)
    matrix[:, 0] = 1
    target = (matrix @ rng.normal(scale=0.6, size=(features, classes)) + rng.gumbel(size=(examples, classes))).argmax(
        axis=1
    )
    return matrix, target, rng.choice([0.0, 0.5, 1.0, 3.0], examples)
