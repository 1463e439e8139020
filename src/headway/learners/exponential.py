"""Logistic regression with an exponential prior: weights that are never negative, most of them zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from headway.errors import HeadwayError, known
from headway.kernels import logistic
from headway.learners.batch import check
from headway.learners.online import positive

PRIORS = ("exponential", "gaussian")


@dataclass(frozen=True, kw_only=True)
class Exponential:
    """Maximises Σ aᵢ log p(yᵢ | i) − λ Σ w with every w ≥ 0, Goodman (2004).

    With the prior `gaussian`, Σ aᵢ log p(yᵢ | i) − strength/2 Σ w², and weights of any sign.
    """

    strength: float = 1.0
    """λ; a feature seen less often with a class, by the importance of its examples, has no weight for it."""
    tolerance: float = 0.003
    """How far from the optimum learning ends: the sum of the slopes that are left, for each example."""
    sweeps: int = 200
    """Steps along each weight, at the most."""
    prior: str = "exponential"

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        positive(self, "strength", "tolerance")
        check(self, whole=["sweeps"])  # type: ignore[arg-type]
        if self.prior not in PRIORS:
            raise HeadwayError(f"unknown prior {self.prior!r}; {known(PRIORS)}")

    def fit(self, columns: Any, importance: Any, weights: Any) -> None:
        """Change weights [feature, class], from which learning begins, to the best ones."""
        exponential = self.prior == "exponential"
        logistic.fit(
            *(columns.start, columns.member, columns.target, np.ascontiguousarray(importance, np.float64), weights),
            linear=self.strength if exponential else 0.0,
            quadratic=0.0 if exponential else self.strength,
            lowest=0.0 if exponential else -math.inf,
            tolerance=self.tolerance,
            sweeps=self.sweeps,
        )
