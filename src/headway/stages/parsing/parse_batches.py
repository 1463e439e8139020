"""Parse batches as options say: confidences, k best trees, around given heads; several threads at once."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from headway.base.errors import counted
from headway.data.batch import Batch
from headway.data.formats.reading import Reader
from headway.data.sentence import Sentence
from headway.data.sources import Source
from headway.stages.calibration.written import assure_place
from headway.stages.parsing.options import ParseOptions
from headway.stages.parsing.read_input import ReadyBatch
from headway.stages.pipeline import ConstrainedBatches, Pipeline

logger = logging.getLogger("headway")
Result = TypeVar("Result")


class BatchParser:
    """Parses the batches of one source as options say; its methods may run in several threads."""

    def __init__(self, row: Pipeline, source: Source | Sentence, options: ParseOptions) -> None:
        if options.k_best is not None:
            row.assure_ranking()
        if options.confidence:
            row.assure_confident()
        self.options = options
        self._skips = isinstance(source, Reader) and source.report.on_error == "skip"
        self._worth_noting: list[tuple[str, int, ConstrainedBatches]] = []

    def parse(self, ready: ReadyBatch) -> list[Batch]:
        """The sentences of a batch, in order, in as many batches as that takes."""
        row, batch = ready
        if self.options.k_best is not None:
            return [row.k_best(batch, self.options.k_best)]
        if not self.options.keep_heads:
            return [row.annotate(batch, confidence=self.options.confidence)]
        found = row.annotate_constrained(batch, skip=self._skips)
        if found.lifted or found.faults:
            self._worth_noting.append((batch.source, int(batch.numbers[0]), found))
        return found.batches

    def render(self, ready: ReadyBatch) -> bytes:
        """The same as bytes in the format of the batch."""
        if self.options.confidence or self.options.k_best is not None:
            assure_place(ready.batch)
        return b"".join(batch.render(ready.batch.format) for batch in self.parse(ready))

    def say_what_was_kept(self) -> None:
        """Note for each file in how many sentences given arcs were lifted, and how many were left as they are."""
        for source, group in groupby(sorted(self._worth_noting, key=itemgetter(0, 1)), itemgetter(0)):
            found = [one for _, _, one in group]
            if lifted := sum(one.lifted for one in found):
                logger.warning(
                    "%s: given heads cross in %s; the parser, which knows no such trees, found the others with these"
                    " lifted, and they were put back",
                    *(source, counted(lifted, "sentence")),
                )
            faults = [error for one in found for _, error in sorted(one.faults.items())]
            for error in faults:
                logger.info("left as it is: %s", error)
            if faults:
                logger.warning(
                    "%s: %s cannot be parsed with the heads that they give and stay as they are (-v says why)",
                    *(source, counted(len(faults), "sentence")),
                )


def in_threads(
    function: Callable[[ReadyBatch], Result], batches: Iterable[ReadyBatch], threads: int
) -> Iterator[Result]:
    """What a function makes of batches, in order; `threads` batches are parsed at once."""
    if threads <= 1:
        yield from map(function, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
