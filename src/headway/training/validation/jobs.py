"""The job of a cross-validation: train without a fold, and parse it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

from headway.base.options import StageOptions
from headway.data.batch import Batch, scan
from headway.data.formats.format import Format
from headway.data.sentence import Sentence
from headway.data.sources import fold, sentences_of
from headway.runs.engines import Shared
from headway.training.train import Row, train

logger = logging.getLogger("headway")


class SharedTreebank(NamedTuple):
    """A treebank on its way to a worker."""

    text: Shared
    format: Format

    def sentences(self) -> list[Sentence]:
        return sentences_of([scan(self.text.read(), self.format, "treebank")[0]])


def text_of(batches: Sequence[Batch]) -> bytes:
    """The sentences of batches, without those that could not be read."""
    return b"".join(batch.render(batch.format) for batch in batches)


def parsed_fold(
    shared: Sequence[SharedTreebank],
    number: int,
    folds: int,
    options: StageOptions | Row | None,
    given: dict[str, Any],
) -> tuple[bytes, list[str], float]:
    """The sentences of a fold as a parser of the others parses them, notes, and the seconds that took. A job."""
    started = perf_counter()
    treebank, *dev = (one.sentences() for one in shared)
    held_out, others = fold(treebank, number, folds)
    with _heard() as notes:
        parser = train(others, options, dev=dev[0] if dev else None, **given)
        text = b"".join(parser.parse_bytes(held_out))
    return text, notes, perf_counter() - started


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Notes that would be made here, for somebody who makes those of all folds once."""
    notes: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: notes.append(record.getMessage())  # type: ignore[method-assign]
    before = logger.handlers, logger.propagate
    logger.handlers, logger.propagate = [handler], False
    try:
        yield notes
    finally:
        logger.handlers, logger.propagate = before
