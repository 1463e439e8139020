"""Writing treebanks in any tab-separated format, and what is lost on the way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import IO

import numpy as np

from headway.batch import Batch
from headway.files import replacing
from headway.formats import registry
from headway.formats.format import Format
from headway.kernels import text as kernel
from headway.sentence import Sentence


def write(sentences: Iterable[Sentence], path: str | os.PathLike[str], *, format: str | None = None) -> Counter[str]:
    """Write sentences to a file, in the format named, or that the file's name speaks of, or their own.

    Returns what the format has no place for, with counts. The file appears when it is complete.
    """
    losses: Counter[str] = Counter()
    chosen = format or registry.by_suffix(os.fspath(path))
    with replacing(path) as stream:
        for sentence in sentences:
            target = registry.format_named(chosen or sentence.batch.format.name)
            single = alone(sentence)
            losses += lost(single, target)
            stream.write(single.render(target))
    return losses


def write_batch(batch: Batch, stream: IO[bytes], target: Format) -> Counter[str]:
    """Write a whole batch at once and return what was lost."""
    stream.write(batch.render(target))
    return lost(batch, target)


def alone(sentence: Sentence) -> Batch:
    """A batch of this sentence only, sharing the bytes."""
    batch, s = sentence.batch, sentence.index
    first_word, last_word = batch.sentence_word[s : s + 2]
    return Batch(
        source=batch.source,
        format=batch.format,
        text=batch.text,
        cells=batch.cells,
        first_cell=batch.first_cell,
        kind=batch.kind,
        word_line=batch.word_line[first_word:last_word],
        heads=batch.heads[first_word:last_word],
        sentence_line=batch.sentence_line[s : s + 2],
        sentence_word=np.array([0, last_word - first_word], np.int32),
        numbers=batch.numbers[s : s + 1],
    )


def lost(batch: Batch, target: Format) -> Counter[str]:
    """What the target has no place for, counted: filled columns, comments, multiword tokens, empty nodes."""
    losses: Counter[str] = Counter()
    source = batch.format
    if source.name == target.name:
        return losses
    counts, spaces = batch.filled()
    filled = dict(zip(source.columns, counts.tolist(), strict=False))
    carried = {column for names in target.fill.values() for column in _carried(names, source, filled)}
    for at, column in enumerate(source.columns):
        if column not in carried and column != "ID":
            losses[column] += int(counts[at])
    losses["columns beyond the last"] += int(counts[-1])
    first, last = batch.sentence_line[0], batch.sentence_line[-1]
    kinds = np.bincount(batch.kind[first:last], minlength=len(kernel.KINDS))
    if not target.comments:
        losses["comment lines"] += int(kinds[kernel.KINDS.index("comment")])
    if not target.multiwords:
        losses["multiword tokens"] += int(kinds[kernel.KINDS.index("range")])
        losses["empty nodes"] += int(kinds[kernel.KINDS.index("empty")])
    if not target.spaces:
        kept = [at for at, column in enumerate(source.columns) if column in carried]
        losses["spaces inside cells (now '_')"] += int(spaces[kept].sum())
    return +losses


def _carried(fields: tuple[str, ...], source: Format, filled: dict[str, int]) -> tuple[str, ...]:
    """The columns of the source that go into a column of the target: those of the first field that has content."""
    return next((source.fields[f] for f in fields if any(filled[c] for c in source.fields.get(f, ()))), ())
