"""Options of AROW, adaptive regularisation of weights; the formula is in `kernels/weights/rules.pxd`."""

from __future__ import annotations

from dataclasses import dataclass

from headway.base.options import positive
from headway.learners.online import Online


@dataclass(frozen=True, kw_only=True)
class AROW(Online):
    """CW made soft: a margin of 1 is wanted, not enforced, and variances shrink at a fixed rate 1/r.

    Crammer, Kulesza and Dredze (2009).
    """

    rule = "arow"
    variance = True
    r: float = positive(1.0, "How slowly variances shrink; larger is slower.", tried=(1.0, 10.0, 100.0, 1000.0))
    initial: float = positive(1.0, "Variance of a weight before its first update.")

    @property
    def strength(self) -> float:
        """The regularisation r."""
        return self.r
