"""Confidence-weighted learning: every weight has a variance, and what is certain moves little."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from statistics import NormalDist

from headway.errors import HeadwayError
from headway.learners.online import Online, positive


@dataclass(frozen=True, kw_only=True)
class CW(Online):
    """Moves the weights' distribution as little as makes the right class win with confidence η.

    The standard-deviation form, Crammer, Dredze and Pereira (2008), equation 10. φ = Φ⁻¹(η); either may be given.
    Unlike for the other learners, the last weights do better than their average.
    """

    rule = "cw"
    variance = True
    passes: int = 5
    average: bool = False
    phi: float = 1.0
    eta: float | None = None
    initial: float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers that have no meaning."""
        super().__post_init__()
        if self.eta is not None and not (isinstance(self.eta, Real) and 0.5 < self.eta < 1):
            raise HeadwayError(f"eta = {self.eta!r} is no confidence; give a number between 0.5 and 1")
        positive(self, "phi", "initial")

    @property
    def strength(self) -> float:
        """φ."""
        return self.phi if self.eta is None else NormalDist().inv_cdf(self.eta)

    @property
    def initial_variance(self) -> float:
        """The variance of a weight before its first update."""
        return self.initial


@dataclass(frozen=True, kw_only=True)
class CWVariance(CW):
    """The variance form of CW, Dredze, Crammer and Pereira (2008)."""

    rule = "cw-variance"
