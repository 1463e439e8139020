"""Parsers of every kind: learn one, open one."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headway import model
from headway.errors import HeadwayError, known

if TYPE_CHECKING:
    from headway.transition.data import Source
    from headway.transition.parser import TransitionParser

KINDS = {
    "transition parser": ("headway.transition.parser", "TransitionParser"),
    "kernel transition parser": ("headway.transition.lockstep", "KernelParser"),
}
"""For each kind of model file, the module and the class that read it."""


def load(path: str | os.PathLike[str]) -> TransitionParser:
    """The parser in a model file; weights are read from the file when they are used."""
    opened = model.load(path)
    kind = opened.header.get("kind")
    if kind not in KINDS:
        raise HeadwayError(f"{os.fspath(path)}: the file holds a {kind!r}, no parser; {known(KINDS)}")
    module, name = KINDS[kind]
    parser: TransitionParser = getattr(import_module(module), name).from_file(opened, os.fspath(path))
    return parser


def train(source: Source, **options: Any) -> TransitionParser:
    """Learn a parser from a treebank; options as those of `transition.options.trainer_from`.

    >>> import headway
    >>> from headway.sample import generate
    >>> parser = headway.train(generate(50), passes=2)
    >>> len(next(parser.parse(generate(1)))) > 0
    True
    """
    from headway.transition.options import trainer_from

    trainer = trainer_from(source, **options)
    for _ in trainer.run(source):
        pass
    assert trainer.best is not None
    return trainer.best
