"""From the words of a user to a trainer of boosted parsers: names to things, and what is not said to what is best."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from headway.boosting.estimators import OpaqueLocal
from headway.boosting.learning import LinearLearner
from headway.boosting.local import EXPONENTIAL, local_learner
from headway.boosting.parser import Form
from headway.boosting.schemes import Scheme, scheme
from headway.boosting.trainer import BoostedTrainer
from headway.errors import HeadwayError
from headway.learners.options import options_from
from headway.transition.data import Source

PAIRS = {"strength": 2.0}
"""Options of the learner of pairs where it is ours; docs/boosting.md says where 2 was better than 1."""
LABELS = {"tolerance": 0.01}
"""Options of the learner of labels where it is ours: labels are many and do not ask for more."""


def boosted_trainer_from(
    source: Source,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    learner: str | LinearLearner | Any = EXPONENTIAL,
    options: Mapping[str, Any] | Iterable[str] = (),
    label_learner: str | LinearLearner | Any = EXPONENTIAL,
    passes: int | str | None = None,
    boosting: str | Scheme = "additive",
    constant: float | None = None,
    decoder: str = Form.decoder,
    dynamic: bool = Form.dynamic,
    partitioned: bool = Form.partitioned,
    seed: int = 1,
    resume: bool = True,
    **others: Any,
) -> BoostedTrainer:
    """A trainer. `learner` and `label_learner` are names as `boosting.local.local_learner` knows them, or objects.

    `options` belong to the learner of pairs, as a mapping or as `NAME=VALUE`; `passes` to online learners. With
    `output`, the training keeps a checkpoint beside it.
    """
    if passes == "auto":
        raise HeadwayError(
            "boosted parsers have no passes to be found; give the passes of the local learner, or rounds"
        )
    given = {**(PAIRS if learner == EXPONENTIAL else {}), **options_from(options)}
    second = local_learner(label_learner, LABELS if label_learner == EXPONENTIAL else (), passes=passes, seed=seed)
    if isinstance(second, OpaqueLocal):
        raise HeadwayError("labels need a learner with weights of features; take a linear one")
    checkpoint = None if output is None else Path(f"{os.fspath(output)}.checkpoint")
    if checkpoint and not resume:
        checkpoint.unlink(missing_ok=True)
    return BoostedTrainer(
        form=Form(decoder=decoder, dynamic=dynamic, partitioned=partitioned),
        learner=local_learner(learner, given, passes=passes, seed=seed),
        labels=second,
        scheme=boosting if isinstance(boosting, Scheme) else scheme(boosting, constant),
        seed=seed,
        dev=dev,
        checkpoint=checkpoint,
        **others,
    )
