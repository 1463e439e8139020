"""Parsing around heads that an input has, and what there is to say of them at its end."""

from __future__ import annotations

import logging
from itertools import groupby
from operator import itemgetter

from headway.base.errors import counted
from headway.data.batch import Batch
from headway.stages.pipeline import Pipeline, Within

logger = logging.getLogger("headway")


class KeptHeads:
    """Batches parsed around the heads of their cells, by any number of threads.

    With `skip`, sentences that cannot be parsed around theirs are left as they are.
    """

    def __init__(self, skip: bool) -> None:
        self.skip = skip
        self._found: list[tuple[str, int, Within]] = []

    def annotate(self, row: Pipeline, batch: Batch) -> list[Batch]:
        """The sentences, in order, in as many batches as that takes."""
        found = row.annotate_constrained(batch, skip=self.skip)
        if found.lifted or found.faults:
            self._found.append((batch.source, int(batch.numbers[0]), found))
        return found.batches

    def say(self) -> None:
        """Say of each file in how many sentences arcs were lifted, and how many were left as they are."""
        for source, group in groupby(sorted(self._found, key=itemgetter(0, 1)), itemgetter(0)):
            found = [within for _, _, within in group]
            if lifted := sum(within.lifted for within in found):
                logger.warning(
                    "%s: given heads cross in %s; the parser, which knows no such trees, found the others with these"
                    " lifted, and they were put back",
                    *(source, counted(lifted, "sentence")),
                )
            faults = [error for within in found for _, error in sorted(within.faults.items())]
            for error in faults:
                logger.info("left as it is: %s", error)
            if faults:
                logger.warning(
                    "%s: %s cannot be parsed with the heads that they give and stay as they are (-v says why)",
                    *(source, counted(len(faults), "sentence")),
                )
