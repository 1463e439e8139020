"""Logistic regression, by scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headway.base.options import number, positive, yes_no
from headway.learners.batch import library
from headway.learners.linear import Linear


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
