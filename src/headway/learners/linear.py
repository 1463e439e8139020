"""What linear batch learners have in common: a weight for each feature and class."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, described
from headway.base.options import number, positive, whole, yes_no
from headway.data.batch import Ints
from headway.learners.batch import BatchLearner, Progress, library, quiet, say_unfinished, solved

DENSE = 16
"""Bytes that a joint problem needs for each feature and class."""


class ClassWeights(NamedTuple):
    """The weights of one class that are not zero, and how long it took to find them."""

    features: Ints
    weights: NDArray[np.float32]
    iterations: int


@dataclass(frozen=True, kw_only=True)
class Linear(BatchLearner, ABC):
    """One problem for each class against all others, or with `joint` one problem for all classes.

    There is no intercept: every template gives every configuration a feature, so that the weights of its features
    hold whatever an intercept could say.

    One against the rest needs memory for the examples and the weights of one class at a time, and each class is a
    problem of its own for a process; `joint` needs `DENSE` bytes for each feature and class.
    """

    way: ClassVar[str] = "linear"
    C: float = positive(0.1, "How much errors cost compared with large weights.", tried=(0.03, 0.1, 0.3, 1.0))
    tolerance: float = positive(0.1, "How exact the solution must be, as the solver measures it.")
    iterations: int = whole(1000, "Stop the solver after this many iterations.")
    smallest: float = number(0.0, "Leave out weights up to this size.", low=0)
    joint: bool = yes_no(False, "Solve one problem for all classes, not one for each class against the rest.")

    @abstractmethod
    def estimator(self, seed: int) -> Any:
        """The estimator of scikit-learn that these options stand for."""

    def checked_estimator(self, seed: int) -> Any:
        """The same; anything else is refused."""
        found = self.estimator(seed)
        if not (hasattr(found, "fit") and hasattr(found, "get_params")):
            what = f"expected an estimator from {type(self).__name__}.estimator, got {described(found)}"
            raise HeadwayError(f"{what}; return one of scikit-learn, such as LinearSVC(fit_intercept=False)")
        return found

    def fit(
        self,
        examples: Any,
        targets: Ints,
        classes: int,
        *,
        seed: int = 1,
        workers: int = 1,
        progress: Progress = lambda share: None,
    ) -> Any:
        """The weights as a sparse matrix [feature, class], from examples [example, feature] and their classes.

        The weights do not depend on the number of worker processes.
        """
        sparse, shape, present = library("scipy.sparse"), (examples.shape[1], classes), np.unique(targets)
        if len(present) < 2:
            return sparse.csr_matrix(shape, dtype=np.float32)
        if self.joint:
            columns = self._joint(examples, targets, len(present), seed)
            progress(1.0)
        else:
            solve, how = library("joblib").delayed(_against_rest), (self.checked_estimator(seed), self.smallest)
            columns = solved([solve(*how, examples, targets == one) for one in present], workers, progress)
        problems = columns[:1] if self.joint else columns
        unfinished = sum(problem.iterations >= self.iterations for problem in problems)
        say_unfinished(self, unfinished, len(problems), self.iterations)
        starts = np.zeros(classes + 1, np.int64)
        starts[present + 1] = [len(column.features) for column in columns]
        weights = np.concatenate([column.weights for column in columns])
        features = np.concatenate([column.features for column in columns])
        return sparse.csc_matrix((weights, features, np.cumsum(starts)), shape).tocsr()

    def _joint(self, examples: Any, targets: Ints, classes: int, seed: int) -> list[ClassWeights]:
        wanted = DENSE * classes * examples.shape[1]
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if wanted > memory:
            raise HeadwayError(
                f"joint learning of {classes} classes and {examples.shape[1]:,} features needs some "
                f"{wanted >> 30} GiB of memory and there are {memory >> 30}; raise the cutoff, or leave joint out"
            )
        coefficients, iterations = _fitted(self.checked_estimator(seed), examples, targets, classes)
        return [_sparse(row, self.smallest, iterations) for row in coefficients]


def _against_rest(estimator: Any, smallest: float, examples: Any, is_right: NDArray[np.bool_]) -> ClassWeights:
    coefficients, iterations = _fitted(estimator, examples, is_right, 2)
    return _sparse(coefficients[1], smallest, iterations)


def _fitted(estimator: Any, examples: Any, targets: NDArray[Any], classes: int) -> tuple[NDArray[np.float64], int]:
    """The weights [class, feature] that an estimator finds, and after how many iterations."""
    name = type(estimator).__name__
    with quiet():
        estimator.fit(examples, targets)
    if not hasattr(estimator, "coef_"):
        raise HeadwayError(f"{name} has no coefficients; take a linear classifier")
    if np.any(getattr(estimator, "intercept_", 0.0)):
        raise HeadwayError(f"{name} finds an intercept, which no feature stands for; give it fit_intercept=False")
    coefficients = np.atleast_2d(np.asarray(estimator.coef_, np.float64))
    if len(coefficients) == 1 and classes == 2:
        coefficients = np.concatenate([-coefficients, coefficients])
    if coefficients.shape != (classes, examples.shape[1]):
        found = " x ".join(map(str, coefficients.shape))
        wanted = f"{classes} x {examples.shape[1]}"
        raise HeadwayError(f"{name} finds {found} weights for {wanted} classes and features; take a linear classifier")
    iterations = getattr(estimator, "n_iter_", None)
    return coefficients, 0 if iterations is None else int(np.max(iterations))


def _sparse(weights: NDArray[np.float64], smallest: float, iterations: int) -> ClassWeights:
    features = np.flatnonzero(np.abs(weights) > smallest).astype(np.int32)
    return ClassWeights(features, weights[features].astype(np.float32), iterations)
