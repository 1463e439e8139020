"""Linear support-vector machines, by LIBLINEAR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headway.learners.batch import library
from headway.learners.linear import Linear


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
