"""Parsers as experiments see them: what `headway.train` learns, and peers, all by their options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from headway.base.files import replacing
from headway.lab.annotating import simulated
from headway.lab.peers import PEERS
from headway.lab.tasks import ANNOTATE, EVIDENCE
from headway.lab.variances import with_evidence
from headway.stages.parsing.parser import Parser
from headway.training.loop import Step
from headway.training.train import train as learn
from headway.training.train import train_row
from headway.training.train_stages import Observer, StageTraining


class ParserUnderTest(Protocol):
    """A parser that has been trained."""

    def parse(self, source: Path, target: Path) -> None:
        """Parse a file to a file."""

    def save(self, path: Path) -> None:
        """Write the model."""

    def described(self) -> dict[str, Any]:
        """What is known of it beside its scores: the number of its features and weights."""


class HeadwayParser:
    """A parser of the toolkit."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser

    def parse(self, source: Path, target: Path, confidence: bool = False) -> None:
        """Parse a file to a file, which may say how sure the parser is of each word."""
        with replacing(target) as stream:
            for text in self.parser.parse_bytes(source, confidence=confidence):
                stream.write(text)

    def save(self, path: Path) -> None:
        self.parser.save(path)

    def described(self) -> dict[str, Any]:
        return {name: self.parser.about[name] for name in ("features", "weights") if name in self.parser.about}


class Trained(NamedTuple):
    """What came of a training: after so many passes, or at that per cent of a simulation, with so many words."""

    at: int
    parser: ParserUnderTest
    annotated: int | None = None


Use = Callable[[Trained], None]


def train_and_use(
    train: Path, given: Mapping[str, Any], use: Use, *, every_pass: bool = False, confidence: bool = False
) -> None:
    """Use each parser that options make: after each pass or step, or after the last alone, which may be calibrated."""
    options = {name: value for name, value in given.items() if name not in (ANNOTATE, EVIDENCE)}
    peer: Callable[..., ParserUnderTest] | None = PEERS.get(str(options.get("parser")))
    if ANNOTATE in given:
        for step, parser, words in simulated(
            train, given[ANNOTATE], given["seed"], lambda some: learn(some, **options)
        ):
            use(Trained(step, HeadwayParser(parser), words))
    elif peer is not None:
        use(Trained(1, peer(train, **{name: value for name, value in options.items() if name != "parser"})))
    else:

        def use_ours(at: int, parser: Parser) -> None:
            if EVIDENCE in given:
                parser = with_evidence(parser, given[EVIDENCE], options["dev"])
            use(Trained(at, HeadwayParser(parser)))

        observer = _EveryPass(use_ours) if every_pass else None
        without = {} if confidence else {"calibrate": "none"}
        last = train_row(os.fspath(train), observer=observer, **{**options, **without})[-1]
        if not every_pass:
            use_ours(len(last.loop.history), last.parser)


class _EveryPass(Observer):
    """Uses the parser as it is after each pass."""

    def __init__(self, use: Callable[[int, Parser], None]) -> None:
        self.use = use

    def on_step(self, stage: StageTraining, step: Step) -> None:
        if stage.is_last:
            self.use(step.number, Parser([*stage.before, stage.loop.now()]))
