"""Options of logistic regression with an exponential prior; the formulas are in `kernels/weights/logistic.pyx`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from headway.base.options import Options, choice, positive, whole

PRIORS = ("exponential", "gaussian")


@dataclass(frozen=True, kw_only=True)
class Exponential(Options):
    """Few weights, none negative: maximises Σ aᵢ log p(yᵢ | i) − λ Σ w with every w ≥ 0, Goodman (2004).

    With the prior `gaussian`, Σ aᵢ log p(yᵢ | i) − strength/2 Σ w², and weights of any sign.
    """

    way: ClassVar[str] = "weighted"
    takes_mislabels: ClassVar[bool] = True
    titled: ClassVar[bool] = True
    strength: float = positive(
        1.0,
        "Penalty λ: a feature seen less often than this with a class gets no weight for it.",
        tried=(0.5, 1.0, 2.0, 4.0),
    )
    tolerance: float = positive(0.003, "When to stop: the sum of the remaining slopes for each example.")
    sweeps: int = whole(200, "Update each weight at most this many times.")
    prior: str = choice(
        "exponential", "prior", PRIORS, "exponential keeps weights from being negative, gaussian allows any sign."
    )

    def fit(self, columns: Any, importance: Any, weights: Any) -> None:
        """Change weights [feature, class], from which learning begins, to the best ones.

        `importance` is that of each example, or [example, class] that of each of its wrong classes: then it chooses
        between the right class and each wrong one, and Σ_y aᵢ(y) log p(yᵢ | i, yᵢ or y) is what is maximised.
        """
        import numpy as np

        from headway.kernels.weights import logistic

        exponential = self.prior == "exponential"
        mislabels = np.ascontiguousarray(importance if importance.ndim > 1 else np.empty((0, 1)), np.float64)
        if importance.ndim > 1:
            importance = importance.sum(axis=1)
        logistic.fit(
            *(columns.start, columns.member, columns.target, np.ascontiguousarray(importance, np.float64)),
            *(mislabels, weights),
            linear=self.strength if exponential else 0.0,
            quadratic=0.0 if exponential else self.strength,
            lowest=0.0 if exponential else -math.inf,
            tolerance=self.tolerance,
            sweeps=self.sweeps,
        )
