"""Parsers as experiments see them: what `headway.train` learns, and peers, all by their options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from headway.base.files import replacing
from headway.lab.annotating import simulated
from headway.lab.peers import PEERS
from headway.lab.tasks import ANNOTATE, EVIDENCE
from headway.lab.variances import with_evidence
from headway.stages.parsing.parser import Parser
from headway.training.train import loops_for, parser_of
from headway.training.train import train as learn


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


def trained(train: Path, given: Mapping[str, Any], every_pass: bool, confidence: bool = False) -> Iterator[Trained]:
    """The parsers that options make: after each pass or step, or after the last alone; that one may be calibrated."""
    options = {name: value for name, value in given.items() if name not in (ANNOTATE, EVIDENCE)}
    if ANNOTATE in given:
        for step, parser, words in simulated(
            train, given[ANNOTATE], given["seed"], lambda some: learn(some, **options)
        ):
            yield Trained(step, HeadwayParser(parser), words)
        return
    for at, found in _trained(train, options, every_pass, confidence):
        if EVIDENCE in given and isinstance(found, HeadwayParser):
            found = HeadwayParser(with_evidence(found.parser, given[EVIDENCE], options["dev"]))
        yield Trained(at, found)


def _trained(
    train: Path, options: Mapping[str, Any], every_pass: bool, confidence: bool
) -> Iterator[tuple[int, ParserUnderTest]]:
    peer: Callable[..., ParserUnderTest] | None = PEERS.get(str(options.get("parser")))
    if peer is not None:
        yield 1, peer(train, **{name: value for name, value in options.items() if name != "parser"})
        return
    loops = loops_for(os.fspath(train), **options)
    for loop in loops:
        if not loop.is_last:
            loop.run()
            continue
        for done in loop:
            if every_pass:
                yield done.number, HeadwayParser(Parser([*loop.before, loop.now(), *loop.after]))
        if confidence:
            next(loops, None)  # What comes after the last pass is calibration.
        if not every_pass:
            yield len(loop.history), HeadwayParser(parser_of(loop))
