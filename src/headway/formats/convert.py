"""From one format to another."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator

from headway.batch import Batch
from headway.files import replacing
from headway.formats import registry
from headway.formats.plain_text import TEXT, WRITTEN, text_of
from headway.formats.reading import Reader
from headway.formats.writing import lost, write_batch
from headway.sentences import views


def convert(reader: Reader, path: str | os.PathLike[str], target: str | None = None) -> Counter[str]:
    """Write all that the reader reads; returns what the target format has no place for, counted.

    The target `text` is the text that the sentences are written as, and nothing else of them.
    """
    losses: Counter[str] = Counter()
    if target == TEXT:
        with replacing(path) as stream:
            for piece in text_of(views(_counted(reader, losses))):
                stream.write(piece.encode())
        return losses
    target = target or registry.by_suffix(os.fspath(path))
    with replacing(path) as stream:
        for batch in reader.batches():
            losses += write_batch(batch, stream, registry.format_named(target or batch.format.name))
    return losses


def _counted(reader: Reader, losses: Counter[str]) -> Iterator[Batch]:
    """The batches of a reader; what a text has no place for is counted."""
    for batch in reader.batches():
        losses.update(lost(batch, WRITTEN))
        yield batch


def describe_losses(losses: Counter[str], reader: Reader) -> None:
    """Say what could not be carried over."""
    if losses:
        items = ", ".join(f"{what}: {count:,}" for what, count in losses.most_common())
        logging.getLogger("headway").warning("%s: not carried over: %s", reader.report.source, items)
