"""Batch learners, which see all examples at once: their contract, and the linear ones by scikit-learn.

Kernel machines are in `kernel_svm`.
"""

from __future__ import annotations

import logging
import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, described
from headway.base.options import Options, number, positive, whole, yes_no
from headway.data.batch import Ints

logger = logging.getLogger("headway")
DENSE = 16
"""Bytes that a joint problem needs for each feature and class."""


@dataclass(frozen=True, kw_only=True)
class BatchLearner(Options):
    """A learner that is given all examples of the static oracle in one sparse matrix.

    It needs scikit-learn and SciPy to learn, and neither of them to parse.
    """

    way: ClassVar[str]
    """`linear`: a weight for each feature and class; `kernel`: machines that a parser asks in lockstep."""
    titled: ClassVar[bool] = True
    passes: ClassVar[int] = 1
    variance: ClassVar[bool] = False
    average: ClassVar[bool] = False
    initial_variance: ClassVar[float] = 1.0


def library(name: str) -> Any:
    """A module of scikit-learn or of what it brings along."""
    try:
        return import_module(name)
    except ImportError:
        raise HeadwayError(
            "linear-svm, logistic and kernel-svm need scikit-learn; install it with pip install scikit-learn"
        ) from None


@contextmanager
def quiet() -> Iterator[None]:
    """Without scikit-learn's warnings that something has not converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", library("sklearn.exceptions").ConvergenceWarning)
        yield


@dataclass(frozen=True, kw_only=True)
class Linear(BatchLearner, ABC):
    """One problem for each class against all others, or with `joint` one problem for all classes.

    There is no intercept: every template gives every configuration a feature, so that the weights of its features
    hold whatever an intercept could say.

    One against the rest needs memory for the examples and the weights of one class at a time; `joint` needs `DENSE`
    bytes for each feature and class.
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
        progress: Callable[[float], None] = lambda share: None,
    ) -> Any:
        """The weights as a sparse matrix [feature, class], from examples [example, feature] and their classes."""
        sparse, shape, present = library("scipy.sparse"), (examples.shape[1], classes), np.unique(targets)
        if len(present) < 2:
            return sparse.csr_matrix(shape, dtype=np.float32)
        if self.joint:
            _assure_memory(len(present), examples.shape[1])
        estimator, problems = self.checked_estimator(seed), 1 if self.joint else len(present)
        starts, features, weights, unfinished = np.zeros(classes + 1, np.int64), [], [], 0
        for problem in range(problems):
            if self.joint:
                rows, iterations = _fitted(estimator, examples, targets, len(present))
            else:
                rows, iterations = _fitted(estimator, examples, targets == present[problem], 2)
            unfinished += iterations >= self.iterations
            for which, row in zip(present, rows, strict=True) if self.joint else [(present[problem], rows[1])]:
                features.append(np.flatnonzero(np.abs(row) > self.smallest).astype(np.int32))
                weights.append(row[features[-1]].astype(np.float32))
                starts[which + 1] = len(features[-1])
            progress((problem + 1) / problems)
        if unfinished:
            logger.warning(
                "%s: %d of %d problems had not converged after %d iterations; raise iterations, or tolerance",
                *(type(self).__name__, unfinished, problems, self.iterations),
            )
        arrays = np.concatenate(weights), np.concatenate(features), np.cumsum(starts)
        return sparse.csc_matrix(arrays, shape).tocsr()


def _assure_memory(classes: int, features: int) -> None:
    """Refuse a joint problem that would need more memory than there is."""
    wanted, memory = DENSE * classes * features, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if wanted > memory:
        raise HeadwayError(
            f"joint learning of {classes} classes and {features:,} features needs some "
            f"{wanted >> 30} GiB of memory and there are {memory >> 30}; raise the cutoff, or leave joint out"
        )


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


@dataclass(frozen=True, kw_only=True)
class LinearSVM(Linear):
    """The widest margin, with a squared loss for what lies within; `joint` is that of Crammer and Singer (2001).

    Fan, Chang, Hsieh, Wang and Lin (2008). C and tolerance as in MaltParser.
    """

    def estimator(self, seed: int) -> Any:
        """LinearSVC."""
        return library("sklearn.svm").LinearSVC(
            C=self.C,
            tol=self.tolerance,
            max_iter=self.iterations,
            random_state=seed,
            multi_class="crammer_singer" if self.joint else "ovr",
            dual=True,
            fit_intercept=False,
        )


@dataclass(frozen=True, kw_only=True)
class Logistic(Linear):
    """Multinomial logistic regression by stochastic average gradients, Schmidt, Le Roux and Bach (2017).

    Without `joint`, a binary one for each class, Yu, Huang and Lin (2011) in LIBLINEAR.
    """

    C: float = positive(1.0, "How much errors cost compared with large weights.", tried=(0.1, 0.3, 1.0, 3.0))
    tolerance: float = positive(0.03, "How exact the solution must be, as the solver measures it.")
    joint: bool = yes_no(True, "Solve one problem for all classes, not one for each class against the rest.")
    # Logistic regression finds a weight for every feature and class; most are next to nothing.
    smallest: float = number(0.001, "Leave out weights up to this size.", low=0)

    def estimator(self, seed: int) -> Any:
        """LogisticRegression."""
        return library("sklearn.linear_model").LogisticRegression(
            C=self.C,
            tol=self.tolerance,
            max_iter=self.iterations,
            random_state=seed,
            solver="sag" if self.joint else "liblinear",
            dual=not self.joint,
            fit_intercept=False,
        )
