"""Parsers as experiments see them: what `headway.train` learns, and peers, all by their options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from headway.experiments.peers import PEERS
from headway.files import replacing
from headway.learn import loops_for, parser_of
from headway.parser import Parser


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

    def parse(self, source: Path, target: Path) -> None:
        with replacing(target) as stream:
            for text in self.parser.parse_bytes(source):
                stream.write(text)

    def save(self, path: Path) -> None:
        self.parser.save(path)

    def described(self) -> dict[str, Any]:
        return {name: self.parser.about[name] for name in ("features", "weights") if name in self.parser.about}


Trained = Iterator[tuple[int, ParserUnderTest]]


def trained(train: Path, options: Mapping[str, Any], every_pass: bool) -> Trained:
    """The number of passes and the system that they made: after each of them, or after the last alone."""
    peer: Callable[..., ParserUnderTest] | None = PEERS.get(str(options.get("parser")))
    if peer is not None:
        yield 1, peer(train, **{name: value for name, value in options.items() if name != "parser"})
        return
    for loop in loops_for(os.fspath(train), **options):
        if not loop.is_last:
            loop.run()
            continue
        for done in loop:
            if every_pass:
                yield done.number, HeadwayParser(Parser([*loop.before, loop.now(), *loop.after]))
        if not every_pass:
            yield len(loop.history), HeadwayParser(parser_of(loop))
