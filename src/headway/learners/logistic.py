"""Logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headway.learners.batch import library
from headway.learners.linear import Linear


@dataclass(frozen=True, kw_only=True)
class Logistic(Linear):
    """Multinomial logistic regression by stochastic average gradients, Schmidt, Le Roux and Bach (2017).

    Without `joint`, a binary one for each class, Yu, Huang and Lin (2011) in LIBLINEAR.
    """

    C: float = 1.0
    tolerance: float = 0.03
    joint: bool = True
    smallest: float = 0.001
    """Logistic regression finds a weight for every feature and class; most are next to nothing."""

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
