"""Options of transition parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.errors import HeadwayError, known
from headway.base.options import choice, number, whole, yes_no
from headway.kernels.transition.systems.system import ROOTS
from headway.learners.online import Online
from headway.learners.registry import BATCH, ONLINE, Learner, learner_option
from headway.parsers.transition.registry import SYSTEMS
from headway.training.options import PassOptions, updatable_option
from headway.training.sizes import NO_CUTS, Cuts, Sized

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

EXPLORE = 0.9
"""How often training follows its own predictions where the system has a dynamic oracle."""
PRUNE, PRUNE_AGAIN = 0.3, 0.5
"""Weights under this share of their root mean square are left out of a model, and of one that has been cut before."""


@dataclass(frozen=True, kw_only=True)
class TransitionOptions(Sized, PassOptions):
    """A parser that reads a sentence word by word and decides at each step what to do next; fast."""

    family: ClassVar[str] = "transition"
    title: ClassVar[str] = "transition parser"
    example: ClassVar[str] = "headway train train.conllu -o swap.headway --system swap --passes 5"
    cost: ClassVar[float] = 8.0
    learner: str | Learner = learner_option("mira", ONLINE, BATCH)
    system: str = choice(
        "arc-eager", "transition system", SYSTEMS, "Transition system, the set of actions to choose from."
    )
    root: str | None = choice(
        None,
        "place of the root",
        ROOTS,
        "Where the artificial root stands in the sentence.",
        default_text="the system's best",
    )
    two_step: bool = yes_no(
        False,
        "Predict the action first and then the label, or both at once.",
        yes="two-step",
        no="one-step",
        tried=(False, True),
    )
    explore: float | None = number(
        None,
        "How often training follows its own predictions, right or wrong; 0 always follows the gold trees.",
        low=0,
        high=1,
        default_text=f"{EXPLORE} where system and learner allow it, else 0",
        tried=(0.0, 0.5, 0.9, 1.0),
    )
    cutoff: int = whole(1, "Ignore features seen fewer times than this.", tried=(1, 2, 3))
    prune: float | None = number(
        None,
        "Leave out weights below this share of the weights' root mean square; 0 keeps all.",
        low=0,
        default_text=f"{PRUNE}, {PRUNE_AGAIN} after cutting, with --exact 0",
    )
    updatable: bool = updatable_option()

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if self.updatable and self.chosen.way != Online.way:
            raise HeadwayError("a batch learner learns all at once and cannot go on; leave updatable out")
        system = SYSTEMS[self.system]
        if self.root is not None and self.root not in system.roots:
            raise HeadwayError(f"{self.system} knows no root at {self.root!r}; {known(system.roots)}")
        if self.explore and not system.explores:
            raise HeadwayError(f"explore = {self.explore}: {self.system} has no dynamic oracle; leave explore out")
        if self.explore and self.chosen.way != Online.way:
            raise HeadwayError("exploration needs an online learner; leave explore out, or take mira or cw")

    @property
    def exploration(self) -> float:
        """How often training follows its own predictions."""
        if self.explore is not None:
            return self.explore
        return EXPLORE if SYSTEMS[self.system].explores and self.chosen.way == Online.way else 0.0

    @property
    def smallest(self) -> float:
        """What share of their root mean square weights must have to be kept."""
        return 0.0 if self.exact else PRUNE if self.prune is None else self.prune

    @property
    def reduction(self) -> Cuts:
        """How hard weights are cut: not where they can be learned on, or `prune` says itself what is left out."""
        return NO_CUTS if self.updatable or self.prune is not None else super().reduction

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.parsers.transition.training import begin

        self.assure_decided()
        return begin(self, data)
