"""The contract of batch learners: options that choose an estimator of scikit-learn, which sees all examples at once."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from headway.base.errors import HeadwayError
from headway.base.options import Options

logger = logging.getLogger("headway")
Progress = Callable[[float], None]
"""Hears what share of the work is done."""


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


def solved(tasks: Sequence[Any], workers: int, progress: Progress, prefer: str = "processes") -> list[Any]:
    """The results of joblib's tasks, in order; they do not depend on the number of workers."""
    results = []
    for result in library("joblib").Parallel(n_jobs=workers, prefer=prefer, return_as="generator")(tasks):
        results.append(result)
        progress(len(results) / len(tasks))
    return results


@contextmanager
def quiet() -> Iterator[None]:
    """Without scikit-learn's warnings that something has not converged; `say_unfinished` says it in a sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", library("sklearn.exceptions").ConvergenceWarning)
        yield


def say_unfinished(learner: BatchLearner, unfinished: int, problems: int, iterations: int) -> None:
    """Tell the user how many of the problems were given up before they had converged."""
    if unfinished:
        logger.warning(
            "%s: %d of %d problems had not converged after %d iterations; raise iterations, or tolerance",
            *(type(learner).__name__, unfinished, problems, iterations),
        )
