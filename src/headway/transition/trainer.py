"""Training a transition parser, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from headway.batch import Batch
from headway.errors import HeadwayError
from headway.learners.batch import BatchLearner
from headway.learners.registry import Learner
from headway.model import Array
from headway.passes import PassTrainer
from headway.transition.batch_training import BatchWork
from headway.transition.parser import TransitionParser
from headway.transition.system import System
from headway.transition.work import Work


@dataclass(kw_only=True)
class Trainer(PassTrainer[TransitionParser, Work]):
    """Learns a transition parser from a treebank: options as fields, `run` does the work pass by pass."""

    checkpoint_kind = "checkpoint of a transition parser"
    system: System = field(default_factory=System)
    learner: Learner | str = "mira"
    two_step: bool = False
    """Choose the action first, then the label."""
    explore: float = 0.0
    """How often the parser follows its own prediction in training (dynamic oracle, arc-eager); 0 for the static one."""
    cutoff: int = 1
    """Features seen less often are left out."""
    prune: float = 0.3
    """Weights smaller than this share of their root mean square are left out of the model."""

    def _begin(self, learner: Learner, batches: Sequence[Batch]) -> Work:
        if self.explore and self.system.name != "arc-eager":
            raise HeadwayError("exploration needs a dynamic oracle, which only arc-eager has; leave --explore out")
        return BatchWork(self, learner, batches) if isinstance(learner, BatchLearner) else Work(self, learner, batches)

    def _identity(self, work: Work) -> dict[str, Any]:
        options = [self.two_step, self.explore, self.cutoff]
        return {"system": asdict(self.system), "options": options}

    def _described(self, parser: TransitionParser) -> tuple[dict[str, Any], dict[str, Array]]:
        return {}, parser.weights._asdict()

    def _rebuilt(
        self, parser: TransitionParser, header: Mapping[str, Any], arrays: Mapping[str, Array]
    ) -> TransitionParser:
        learned = parser.weights._replace(**{name: np.array(array) for name, array in arrays.items()})
        return replace(parser, weights=learned)
