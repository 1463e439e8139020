"""Options of confidence-weighted learning: certain weights move little; the formulas: `kernels/weights/rules.pxd`."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

from headway.base.options import number, positive, whole, yes_no
from headway.learners.online import Online


@dataclass(frozen=True, kw_only=True)
class CW(Online):
    """Moves the weights' distribution as little as makes the right class win with confidence η.

    The standard-deviation form, Crammer, Dredze and Pereira (2008), equation 10. φ = Φ⁻¹(η); either may be given.
    Unlike for the other learners, the last weights do better than their average.
    """

    rule = "cw"
    variance = True
    own_margin = True
    passes: int = whole(5, "Passes over the treebank.")
    average: bool = yes_no(False, "Use the mean of the weights over all examples, not the last weights.")
    phi: float = positive(1.0, "How many standard deviations the right class must be ahead.", tried=(0.1, 0.3, 1.0))
    eta: float | None = number(
        None, "phi as a probability: how sure the right class must be.", low=0.5, above=True, high=1 - 1e-9
    )
    initial: float = positive(1.0, "Variance of a weight before its first update.")

    @property
    def strength(self) -> float:
        """φ."""
        return self.phi if self.eta is None else NormalDist().inv_cdf(self.eta)


@dataclass(frozen=True, kw_only=True)
class CWVariance(CW):
    """The variance form of CW, Dredze, Crammer and Pereira (2008)."""

    rule = "cw-variance"
