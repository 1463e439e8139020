"""Parsers of every kind: learn one, open one."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headway import model
from headway.errors import HeadwayError, known

if TYPE_CHECKING:
    from headway.boosting.parser import BoostedParser
    from headway.boosting.trainer import BoostedTrainer
    from headway.graph.parser import GraphParser
    from headway.graph.trainer import GraphTrainer
    from headway.transition.data import Source
    from headway.transition.parser import TransitionParser
    from headway.transition.trainer import Trainer

KINDS = {
    "transition parser": ("headway.transition.parser", "TransitionParser"),
    "kernel transition parser": ("headway.transition.lockstep", "KernelParser"),
    "graph parser": ("headway.graph.parser", "GraphParser"),
    "boosted parser": ("headway.boosting.parser", "BoostedParser"),
}
"""For each kind of model file, the module and the class that read it."""
FAMILIES = {
    "transition": ("headway.transition.options", "trainer_from"),
    "graph": ("headway.graph.options", "graph_trainer_from"),
    "boosted": ("headway.boosting.options", "boosted_trainer_from"),
}
"""For each family of parsers, the module and the function that make a trainer."""


def load(path: str | os.PathLike[str]) -> TransitionParser | GraphParser | BoostedParser:
    """The parser in a model file; weights are read from the file when they are used."""
    opened = model.load(path)
    kind = opened.header.get("kind")
    if kind not in KINDS:
        raise HeadwayError(f"{os.fspath(path)}: the file holds a {kind!r}, no parser; {known(KINDS)}")
    module, name = KINDS[kind]
    parser: TransitionParser | GraphParser | BoostedParser = getattr(import_module(module), name).from_file(
        opened, os.fspath(path)
    )
    return parser


def trainer_from(
    source: Source, *, parser: str = "transition", **options: Any
) -> Trainer | GraphTrainer | BoostedTrainer:
    """The trainer of a family of parsers, with options of its own."""
    if parser not in FAMILIES:
        raise HeadwayError(f"unknown family of parsers {parser!r}; {known(FAMILIES)}")
    module, name = FAMILIES[parser]
    trainer: Trainer | GraphTrainer | BoostedTrainer = getattr(import_module(module), name)(source, **options)
    return trainer


def train(source: Source, **options: Any) -> TransitionParser | GraphParser | BoostedParser:
    """Learn a parser from a treebank: `parser` is its family, transition (as by default), graph or boosted.

    Options are those of `trainer_from` in `transition.options`, of `graph_trainer_from` in `graph.options` or of
    `boosted_trainer_from` in `boosting.options`.

    >>> import headway
    >>> from headway.sample import generate
    >>> parser = headway.train(generate(50), passes=2)
    >>> len(next(parser.parse(generate(1)))) > 0
    True
    """
    trainer = trainer_from(source, **options)
    for _ in trainer.run(source):
        pass
    assert trainer.best is not None
    return trainer.best
