"""From the words of a user to a trainer of graph parsers: names to things, and what is not said to what is best."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headway.errors import HeadwayError
from headway.graph.parser import Shape
from headway.graph.registry import DECODERS
from headway.graph.trainer import LEARNER, GraphTrainer
from headway.graph.tuning import tuned
from headway.graph.work import features_from, siblings_in
from headway.learners.batch import BatchLearner
from headway.learners.online import Online
from headway.learners.options import options_from
from headway.learners.registry import Learner
from headway.learners.registry import learner as learner_named
from headway.transition.data import Source
from headway.transition.options import best_passes, with_passes

SETTLED = {"settle": 2}
"""Options of the learner where nothing was said about either: the average begins after two passes."""


def graph_trainer_from(
    source: Source,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    learner: str | Learner | None = None,
    options: Mapping[str, Any] | Iterable[str] = (),
    passes: int | str | None = None,
    folds: int = 5,
    order: int | None = None,
    labels: str = Shape.labels,
    bits: int = Shape.bits,
    label_bits: int = Shape.label_bits,
    tune: str = "",
    resume: bool = True,
    **others: Any,
) -> GraphTrainer:
    """A trainer. `passes` is a number, "auto" to find it by cross-validation on `source`, None for the learner's own.

    Without an `order` siblings are scored, too, where the features look at them, `k` is 1 and the decoder is ours.

    `options` belong to the learner, as a mapping or as `NAME=VALUE`; `tune` names what is to be chosen on `dev`, as
    in "C,decoder". With `output`, the training keeps a checkpoint beside it.
    """
    if tune and dev is None:
        raise HeadwayError(f"choosing {tune} needs a development treebank; name one with --dev")
    chosen = (
        learner
        if isinstance(learner, (Online, BatchLearner))
        else learner_named(learner or LEARNER, **{**({} if learner else SETTLED), **options_from(options)})
    )
    if isinstance(chosen, Online):
        chosen = with_passes(chosen, passes, "passes" in options_from(options), dev is not None)
    checkpoint = None if output is None else Path(f"{os.fspath(output)}.checkpoint")
    if checkpoint and not resume:
        checkpoint.unlink(missing_ok=True)
    if order is None:
        possible = others.get("k", 1) == 1 and others.get("decoder", "auto") in ("auto", *DECODERS.own)
        order = 2 if possible and siblings_in(features_from(others.get("features", "default"))) else 1
    trainer = GraphTrainer(
        shape=Shape(order=order, labels=labels, bits=bits, label_bits=label_bits),
        learner=chosen,
        dev=dev,
        checkpoint=checkpoint,
        **others,
    )
    if passes == "auto" and isinstance(chosen, Online):
        trainer.learner = replace(chosen, passes=best_passes(trainer, source, folds))  # type: ignore[arg-type]
    return tuned(trainer, source, tune.split(",")) if tune else trainer
