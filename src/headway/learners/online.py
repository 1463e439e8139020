"""Online learners: their contract, and the options of ours.

How far each moves is a rule of `kernels/weights/rules.pxd`; a learner of your own may have a step in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.errors import HeadwayError
from headway.base.options import Options, number, positive, whole, yes_no

if TYPE_CHECKING:
    from headway.kernels.weights.rules import StepRule


@dataclass(frozen=True, kw_only=True)
class Online(Options):
    """A learner that sees one example at a time and moves the weights when it must.

    For each example it takes the right class y and the best wrong class r; `rule` says how far to move (see
    `kernels/weights/rules.pxd`), `strength` is that rule's number. A learner from outside has a method
    `step(margin, variance, wanted) -> (step, shrink)` instead. `average` gives the mean of the weights over all
    examples instead of the last ones, Freund and Schapire (1999).
    """

    way: ClassVar[str] = "online"
    titled: ClassVar[bool] = True
    rule: ClassVar[str]
    variance: ClassVar[bool] = False
    """Whether the learner keeps a variance beside each weight."""
    own_margin: ClassVar[bool] = False
    """Whether it asks for a margin of its own, not for the one wanted.

    Where a wrong tree was found with its loss added to its score, that margin then counts beyond the loss.
    """
    together: ClassVar[bool] = False
    """Whether it learns from several wrong trees at once where there are several, not from one after the other."""
    passes: int = whole(10, "Passes over the treebank.")
    average: bool = yes_no(True, "Use the mean of the weights over all examples, not the last weights.")
    settle: int = whole(0, "Leave this many first passes out of the mean, if there are more than twice as many.", low=0)

    def begins_average(self, number: int) -> bool:
        """Whether the average begins anew with this pass. Until then it goes over all passes before."""
        return self.average and self.passes > 2 * self.settle > 0 and number == self.settle + 1

    def step_rule(self) -> StepRule:
        """How far to move, as the kernels want it: the method `step` where there is one, else the rule of that name."""
        from headway.kernels.weights.rules import StepRule

        step = getattr(self, "step", None)
        if callable(step):
            return StepRule.of(step)
        if not hasattr(self, "rule"):
            raise HeadwayError(f"{type(self).__name__} has neither a rule nor a method step; give it one of them")
        return StepRule(self.rule, self.strength)

    @property
    def strength(self) -> float:
        """The number that the rule needs."""
        return 1.0

    @property
    def initial_variance(self) -> float:
        """The variance of a weight before its first update: the option `initial` of learners that have it."""
        return float(getattr(self, "initial", 1.0))


@dataclass(frozen=True, kw_only=True)
class Perceptron(Online):
    """Moves by one whenever the prediction is wrong. Rosenblatt (1958), Collins (2002)."""

    rule = "perceptron"


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
        from statistics import NormalDist

        return self.phi if self.eta is None else NormalDist().inv_cdf(self.eta)


@dataclass(frozen=True, kw_only=True)
class CWVariance(CW):
    """The variance form of CW, Dredze, Crammer and Pereira (2008)."""

    rule = "cw-variance"


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
