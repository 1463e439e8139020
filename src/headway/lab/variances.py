"""What CW's variances are good for: a transition parser whose confidences may come from them.

A margin divided by its standard deviation says how sure a confidence-weighted classifier is (Dredze, Crammer and
Pereira 2008). Toolkit models do without: this is here to measure what they would gain.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError, known
from headway.data.batch import Batch
from headway.data.sources import batches_of
from headway.kernels.transition.evidence import EVIDENCE, spread
from headway.kernels.weights import freezing
from headway.kernels.weights.table import Weights
from headway.learners.confidence_weighted import CW
from headway.parsers.transition.parser import FrozenWeights, TransitionParser
from headway.stages.calibration.evidence import Evidence
from headway.stages.parsing.parser import Parser
from headway.stages.tree_stage import Parsed
from headway.training.calibrating import calibrated

MARGIN, VARIANCE, BOTH = KINDS = ("margin", "variance", "both")
"""Margins as they are, divided by their standard deviations, and both beside each other."""
MARGINS = ("least", "arc", "path")
"""The evidence of a transition parser that are margins."""


def check_evidence(kind: Any) -> None:
    """Refuse evidence that is not there."""
    if kind not in KINDS:
        raise HeadwayError(f"unknown evidence {kind!r}; {known(KINDS)}")


@dataclass(frozen=True, eq=False)
class VarianceParser(TransitionParser):
    """A transition parser that takes its evidence from the variances of its weights, too."""

    evidence: str = MARGIN
    certain: FrozenWeights | None = None
    """By how much the variance of each weight is below the initial one, in the layout of weights."""
    initial: float = 1.0

    def trees_with_evidence(self, batch: Batch) -> tuple[Parsed, Evidence]:
        """The trees, with the margins of the kind that is wanted; the first of them tells of neighbours, too."""
        parsed, own = super().trees_with_evidence(batch)
        if self.evidence == MARGIN:
            return parsed, own
        assert self.certain is not None
        rows = np.zeros((len(batch.heads), len(EVIDENCE)), np.float32)
        ready = self.setup(self.templates.encode(batch), int(np.diff(batch.sentence_word).max(initial=1)))
        spread(ready, *self.frozen, *self.certain, self.initial, batch.sentence_word, rows)
        scaled = {f"scaled {name}": row for name, row in zip(EVIDENCE, rows.T, strict=True) if name in MARGINS}
        others = {name: each for name, each in own.numbers.items() if name not in MARGINS}
        numbers = {**scaled, **others} if self.evidence == VARIANCE else {**own.numbers, **scaled}
        return parsed, Evidence(numbers, own.groups)


def with_evidence(parser: Parser, kind: str, dev: Any) -> Parser:
    """The same parser with confidences learned on dev from evidence of a kind; CW, trained with `updatable`."""
    stage = parser.stages[-1]
    if not isinstance(stage, TransitionParser) or stage.state is None or "planes" not in stage.state.arrays:
        raise HeadwayError('variances are those of CW; train with learner = "cw" and updatable = true')
    initial = CW().initial_variance
    weights = Weights(len(stage.classes), variance=False, average=False)
    keys, sizes, classes, planes = (stage.state.arrays[name] for name in ("keys", "sizes", "classes", "planes"))
    weights.restore(keys, sizes, classes, np.ascontiguousarray(initial - planes[1:2]))
    known_fields = {field.name: getattr(stage, field.name) for field in fields(stage)}
    certain = FrozenWeights(*freezing.frozen(weights, 1.0)[:2])
    varied = VarianceParser(**known_fields, evidence=kind, certain=certain, initial=initial)
    return Parser([*parser.stages[:-1], calibrated(varied, batches_of(dev))])
