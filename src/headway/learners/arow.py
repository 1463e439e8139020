"""Adaptive regularisation of weights."""

from __future__ import annotations

from dataclasses import dataclass

from headway.learners.online import Online, positive


@dataclass(frozen=True, kw_only=True)
class AROW(Online):
    """CW made soft: a margin of 1 is wanted, not enforced, and variances shrink at a fixed rate 1/r.

    Crammer, Kulesza and Dredze (2009).
    """

    rule = "arow"
    variance = True
    r: float = 1.0
    initial: float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers that have no meaning."""
        super().__post_init__()
        positive(self, "r", "initial")

    @property
    def strength(self) -> float:
        """The regularisation r."""
        return self.r

    @property
    def initial_variance(self) -> float:
        """The variance of a weight before its first update."""
        return self.initial
