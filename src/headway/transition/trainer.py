"""Training a transition parser, pass by pass."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from headway.batch import Batch
from headway.errors import HeadwayError
from headway.features.compile import Templates, compile_features
from headway.features.language import Feature
from headway.features.reduce import reduce_features
from headway.features.registry import feature_model
from headway.kernels.setup import Setup
from headway.learners.batch import BatchLearner
from headway.learners.registry import Learner
from headway.model import Array
from headway.passes import PassTrainer
from headway.transition.batch_training import BatchWork
from headway.transition.ground import Ground
from headway.transition.parser import TransitionParser
from headway.transition.system import System
from headway.transition.work import Work

logger = logging.getLogger("headway")


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

    def begin(self, learner: Learner, batches: Sequence[Batch]) -> Work:
        if self.explore and self.system.name != "arc-eager":
            raise HeadwayError("exploration needs a dynamic oracle, which only arc-eager has; leave --explore out")
        ground, templates = Ground(self, batches), compile_features(self._fitting(batches))
        return work_on(self, learner, ground, templates)

    def _fitting(self, batches: Sequence[Batch]) -> list[Feature]:
        """The features that can tell something on this treebank."""
        wanted = self.features
        if isinstance(wanted, str):
            wanted = feature_model(self.system.default_features if wanted == "default" else wanted)
        features, notes = reduce_features(wanted, batches)
        for note in notes:
            logger.warning("features: %s", note)
        return features

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


def work_on(
    options: Trainer, learner: Learner, ground: Ground, templates: Templates, ready: Setup | None = None
) -> Work:
    """A training with a learner of any kind; `ready` where the words have been made ready for the templates before."""
    if isinstance(learner, BatchLearner):
        return BatchWork(options, learner, ground, templates, ready)
    return Work(options, learner, ground, templates, ready)
