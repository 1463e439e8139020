"""The contract of online learners: options, and a step rule of `kernels/rules.pxd` or of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, ClassVar

from headway.errors import HeadwayError

if TYPE_CHECKING:
    from headway.kernels.rules import StepRule


@dataclass(frozen=True, kw_only=True)
class Online:
    """A learner that sees one example at a time and moves the weights when it must.

    For each example it takes the right class y and the best wrong class r; `rule` says how far to move (see
    `kernels/rules.pxd`), `strength` is that rule's number. A learner with a rule of its own has a method
    `step(self, margin, variance, wanted)` in its place, which returns the step and the shrink, (0, 0) where nothing is
    to be learned. `average` gives the mean of the weights over all examples instead of the last ones, Freund and
    Schapire (1999).
    """

    rule: ClassVar[str]
    variance: ClassVar[bool] = False
    """Whether the learner keeps a variance beside each weight."""
    passes: int = 10
    average: bool = True
    settle: int = 0
    """The first passes, which do not count for the average where there are more than twice as many."""

    def __post_init__(self) -> None:
        """Refuse values that have no meaning."""
        positive(self, "passes")
        if not isinstance(self.passes, Integral):
            raise HeadwayError(
                f"passes = {self.passes!r} of {type(self).__name__} is no whole number; give one, as in 10"
            )
        if not isinstance(self.average, bool):
            raise HeadwayError(f"average = {self.average!r} of {type(self).__name__} is neither yes nor no; give one")
        if isinstance(self.settle, bool) or not isinstance(self.settle, Integral) or self.settle < 0:
            raise HeadwayError(
                f"settle = {self.settle!r} of {type(self).__name__} is no number of passes; give one, or 0 for none"
            )

    def begins_average(self, number: int) -> bool:
        """Whether the average begins anew with this pass. Until then it goes over all passes before."""
        return self.average and self.passes > 2 * self.settle > 0 and number == self.settle + 1

    def step_rule(self) -> StepRule:
        """How far to move, as the kernels want it: the method `step` where there is one, else the rule of that name."""
        from headway.kernels.rules import StepRule

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
        """The variance of a weight before its first update."""
        return 1.0


def positive(learner: object, *names: str) -> None:
    """Refuse options that are not positive numbers."""
    for name in names:
        value = getattr(learner, name)
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < math.inf:
            raise HeadwayError(f"{name} = {value!r} of {type(learner).__name__} is not positive; give a number above 0")
