"""The contract of online learners: a rule of `kernels/weights/rules.pxd`, or a step of their own in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.errors import HeadwayError
from headway.base.options import Options, whole, yes_no

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
