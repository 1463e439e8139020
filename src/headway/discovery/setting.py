"""How candidates are measured."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

from headway.discovery.measure import LOOK
from headway.evaluation.metrics.definitions import UD, Definition
from headway.learners.online import Online
from headway.learners.perceptron import Perceptron
from headway.learners.registry import Learner
from headway.parsers.transition.registry import ChosenSystem


@dataclass(frozen=True, kw_only=True)
class MeasureSetting:
    """How candidates are measured; the same for all of a search."""

    family: str = "transition"
    learner: Learner = field(default_factory=Perceptron)
    pairs: bool = True
    """Whether all pairs of the features count too."""
    two_step: bool = True
    """Choose the action first, then the label (Nilsson and Nugues 2010)."""
    system: ChosenSystem = field(default_factory=ChosenSystem)
    encoding: str = "none"
    """How lifted arcs are marked in labels: not at all, as in the paper."""
    prune: float | None = None
    """Weights smaller than this share of their root mean square are left out; None for as many as in training."""
    metric: str = "LAS"
    definition: Definition = UD
    """Which words count, and which labels are the same."""
    folds: int = 0
    """Cross-validation with so many folds, instead of a development treebank."""
    look: int = 4
    """A short measure learns from one in so many sentences."""
    look_passes: int = 2
    seed: int = 1
    columns: str | None = None
    """The folder of columns on this machine."""

    def learner_for(self, stage: str) -> Learner:
        """The learner, with fewer passes for a short measure."""
        learner: Any = self.learner
        if stage == LOOK and learner.way == Online.way:
            learner = replace(learner, passes=min(self.look_passes, learner.passes))
        return cast(Learner, learner)
