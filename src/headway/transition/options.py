"""From the words of a user to a trainer: names to things, and what is not said to what is best."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from headway.errors import HeadwayError
from headway.features.language import Feature
from headway.learners.batch import BatchLearner
from headway.learners.online import Online
from headway.learners.options import options_from
from headway.learners.registry import Learner, name_of
from headway.learners.registry import learner as learner_named
from headway.sentence import Sentence
from headway.transition.data import Source, batches_of
from headway.transition.system import ROOTS, System
from headway.transition.trainer import Trainer

logger = logging.getLogger("headway")
EXPLORE = 0.9
"""How often training follows its own predictions where the system has a dynamic oracle."""
SMALL = 0.5
"""Weights smaller than this share of their root mean square are left out of a small model."""
LIMIT = 30
"""Passes at most where a development treebank tells when to stop."""
MOST_PASSES = 15
"""Passes tried at most where their number is to be found."""


def trainer_from(
    source: Source,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    features: str | Sequence[Feature] = "default",
    learner: str | Learner | None = None,
    options: Mapping[str, Any] | Iterable[str] = (),
    passes: int | str | None = None,
    folds: int = 5,
    system: str = "arc-eager",
    root: str | None = None,
    single_root: bool | None = None,
    explore: float | None = None,
    small: bool = False,
    resume: bool = True,
    **others: Any,
) -> Trainer:
    """A trainer. `passes` is a number, "auto" to find it by cross-validation on `source`, None for the learner's own.

    `options` belong to the learner, as a mapping or as `NAME=VALUE`. With `output`, the training keeps a checkpoint
    beside it.
    """
    chosen = (
        learner
        if isinstance(learner, (Online, BatchLearner))
        else learner_named(learner or "mira", **options_from(options))
    )
    if isinstance(chosen, BatchLearner):
        if passes is not None:
            raise HeadwayError(f"{name_of(chosen)} sees all examples at once, in no passes; leave passes out")
        explore = explore or 0.0
    else:
        chosen = with_passes(chosen, passes, "passes" in options_from(options), dev is not None)
    checkpoint = None if output is None else f"{os.fspath(output)}.checkpoint"
    if checkpoint and not resume and os.path.exists(checkpoint):  # noqa: PTH110
        os.remove(checkpoint)  # noqa: PTH107
    trainer = Trainer(
        system=System(name=system, root=root or ROOTS.get(system, ("",))[0], single_root=single_root),
        features=features,
        learner=chosen,
        explore=explore if explore is not None else EXPLORE if system == "arc-eager" else 0.0,
        prune=SMALL if small else Trainer.prune,
        dev=dev,
        checkpoint=checkpoint,
        **others,
    )
    if passes == "auto" and isinstance(chosen, Online):
        trainer.learner = replace(chosen, passes=best_passes(trainer, source, folds))
    return trainer


def with_passes(learner: Online, passes: int | str | None, said: bool, has_dev: bool) -> Online:
    """The learner with as many passes as were asked for; without a word, dev tells when to stop."""
    if isinstance(passes, int):
        return replace(learner, passes=passes)
    return replace(learner, passes=LIMIT) if has_dev and passes is None and not said else learner


def best_passes(trainer: Trainer, source: Source, folds: int) -> int:
    """The number of passes with the best mean LAS when each fold is parsed by what was learned from the others."""
    sentences = [Sentence.view(batch, index) for batch in batches_of(source) for index in range(len(batch))]
    if len(sentences) < folds:
        raise HeadwayError(f"{folds} folds need at least as many sentences, and there are {len(sentences)}; use fewer")
    learner = learner_named(trainer.learner) if isinstance(trainer.learner, str) else trainer.learner
    assert isinstance(learner, Online)
    curves = []
    for fold in range(folds):
        held_out = sentences[fold::folds]
        others = [sentence for index, sentence in enumerate(sentences) if index % folds != fold]
        attempt = replace(
            trainer,
            learner=replace(learner, passes=MOST_PASSES),
            dev=held_out,
            patience=MOST_PASSES,
            checkpoint=None,
            history=[],
            best=None,
        )
        curves.append([done.las or 0.0 for done in attempt.run(others)])
        logger.info("fold %d of %d: %s", fold + 1, folds, " ".join(f"{las:.2f}" for las in curves[-1]))
    means = [sum(column) / folds for column in zip(*curves, strict=True)]
    best = means.index(max(means)) + 1
    logger.warning("cross-validation: %d passes are best (LAS %.2f)", best, max(means))
    return best
