"""From one format to another."""

from __future__ import annotations

import logging
import os
from collections import Counter

from headway.base.files import replacing
from headway.data.formats import registry
from headway.data.formats.plain_text import TEXT, text_of
from headway.data.formats.reading import Reader
from headway.data.formats.writing import write_batch

logger = logging.getLogger("headway")


def convert(reader: Reader, path: str | os.PathLike[str], target: str | None = None) -> Counter[str]:
    """Write all that the reader reads; returns what the target format has no place for, counted.

    Without a target the path's name says the format, or else it is the reader's own. The target `text` is the text that
    the sentences are written as: nobody expects more of it, so nothing is lost.
    """
    losses: Counter[str] = Counter()
    name = os.fspath(path)
    if target is None and registry.is_text(name):
        what = f"a file called {registry.TEXT_SUFFIX} is text, so that only the text of the sentences is written"
        logger.warning("%s: %s; keep the rest with --to", name, what)
        target = TEXT
    if target == TEXT:
        with replacing(path) as stream:
            for piece in text_of(reader):
                stream.write(piece.encode())
        return losses
    target = target or registry.by_suffix(name)
    with replacing(path) as stream:
        for batch in reader.batches():
            losses += write_batch(batch, stream, registry.format_named(target or batch.format.name))
    return losses


def describe_losses(losses: Counter[str], reader: Reader) -> None:
    """Say what could not be carried over."""
    if losses:
        items = ", ".join(f"{what}: {count:,}" for what, count in losses.most_common())
        logger.warning("%s: not carried over: %s", reader.report.source, items)
