"""Options of passive-aggressive learners and MIRA, one of them; their steps are in `kernels/weights/rules.pxd`."""

from __future__ import annotations

from dataclasses import dataclass

from headway.base.options import positive, whole
from headway.learners.online import Online


@dataclass(frozen=True, kw_only=True)
class PA(Online):
    """Moves just as far as a margin of 1 needs. Crammer et al. (2006)."""

    rule = "pa"


@dataclass(frozen=True, kw_only=True)
class MIRA(PA):
    """MIRA with one constraint, Crammer and Singer (2003): the step of PA, averaged once it has found its way."""

    together = True
    passes: int = whole(7, "Passes over the treebank.")
    settle: int = whole(2, "Leave this many first passes out of the mean, if there are more than twice as many.", low=0)


@dataclass(frozen=True, kw_only=True)
class PA1(Online):
    """PA with a longest step C, so that noise does less harm. Crammer et al. (2006)."""

    rule = "pa-1"
    C: float = positive(0.05, "The longest step.", tried=(0.001, 0.003, 0.01, 0.05))

    @property
    def strength(self) -> float:
        """The longest step."""
        return self.C


@dataclass(frozen=True, kw_only=True)
class PA2(PA1):
    """PA with a squared penalty for what is left, weighted by C. Crammer et al. (2006)."""

    rule = "pa-2"
