"""Training that goes on, stage by stage, each on what those before it predict for new sentences."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headway.data.batch import Batch
from headway.stages.contract import SegmentingStage, Stage
from headway.training.families import EARLIER
from headway.training.jackknife import by_others

logger = logging.getLogger("headway")
FOLDS = 5
"""In how many parts a stage predicts what it has not learned from."""


def continue_stages(stages: Sequence[Stage], batches: Sequence[Batch], how: Mapping[str, Any]) -> list[Stage]:
    """Stages after more training; one for which the treebank has nothing stays as it is, and a note says so.

    A stage learns from what the stages before it predict after they have learned from the other four fifths.
    """
    found: list[Stage] = []
    data = list(batches)
    for number, stage in enumerate(stages):
        lack = _lack(stage, batches)
        if lack is not None:
            logger.warning("the treebank has no %s, so that the %s stays as it is", lack, stage.kind)
        able: Any = stage
        found.append(stage if lack else able.continued(data, **how))
        if number == len(stages) - 1 or isinstance(stage, SegmentingStage):
            continue
        folds = min(FOLDS, sum(map(len, data)))
        if lack or folds < 2:
            data = [stage.annotate(batch) for batch in data]
        else:
            data = by_others(partial(able.continued, **how), data, folds)
    return found


def _lack(stage: Stage, batches: Sequence[Batch]) -> str | None:
    """What a treebank lacks to teach a stage before the parser."""
    family = stage.about.get("family")
    return EARLIER[family]().lack(batches) if isinstance(family, str) and family in EARLIER else None
