"""Choosing options on a development treebank, one after the other: the recipe for another language or domain."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from headway.errors import HeadwayError, known
from headway.graph.registry import DECODERS
from headway.graph.trainer import LOSSES, GraphTrainer
from headway.learners.registry import learner as learner_named
from headway.learners.registry import name_of
from headway.sentence import Sentence
from headway.transition.data import Source, batches_of

logger = logging.getLogger("headway")
OF_LEARNER: dict[str, tuple[Any, ...]] = {
    "C": (0.001, 0.003, 0.01, 0.05),
    "r": (1.0, 10.0, 100.0),
    "phi": (0.1, 0.3, 1.0),
}
OF_TRAINER: dict[str, tuple[Any, ...]] = {
    "decoder": tuple(DECODERS.own),
    "loss": LOSSES,
    "cost_augmented": (True, False),
}
"""What can be chosen, and what is tried."""


def tuned(trainer: GraphTrainer, source: Source, names: Sequence[str]) -> GraphTrainer:
    """The trainer with those values of the named options that give the best LAS on its dev, each found in its turn."""
    assert trainer.dev is not None
    train, dev = _kept(source), _kept(trainer.dev)
    best = trainer
    for name in names:
        found = [(_las(replace(attempt, dev=dev), train), attempt) for attempt in _attempts(best, name)]
        las, best = max(found, key=lambda pair: pair[0])
        logger.warning("%s = %s is best on dev (LAS %.2f)", name, _value(best, name), las)
    return best


def _kept(source: Source) -> list[Sentence]:
    """Sentences that can be gone through several times."""
    return [Sentence.view(batch, index) for batch in batches_of(source) for index in range(len(batch))]


def _attempts(trainer: GraphTrainer, name: str) -> list[GraphTrainer]:
    if name in OF_TRAINER:
        return [replace(trainer, **{name: value}) for value in OF_TRAINER[name]]
    learner = learner_named(trainer.learner) if isinstance(trainer.learner, str) else trainer.learner
    possible = {field.name for field in fields(learner)}
    if name not in possible & set(OF_LEARNER):
        usable = sorted(possible & set(OF_LEARNER)) + sorted(OF_TRAINER)
        raise HeadwayError(f"{name!r} of {name_of(learner)} cannot be chosen on dev; {known(usable)}")
    return [replace(trainer, learner=replace(learner, **{name: value})) for value in OF_LEARNER[name]]


def _value(trainer: GraphTrainer, name: str) -> Any:
    return getattr(trainer if name in OF_TRAINER else trainer.learner, name)


def _las(trainer: GraphTrainer, train: list[Sentence]) -> float:
    """The best LAS of a training on its dev."""
    attempt = replace(trainer, checkpoint=None, history=[], best=None)
    return max(done.las or 0.0 for done in attempt.run(train))
