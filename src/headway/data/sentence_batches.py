"""Batches of one sentence: made of lines, or of another sentence with some cells changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headway.data.batch import Batch, scan
from headway.data.cells import replace_cells
from headway.data.formats.format import FIELDS, Format
from headway.data.formats.problems import explain
from headway.data.layers import Codes
from headway.kernels.text import scanning as kernel

WORD = kernel.KINDS.index("word")


def of_lines(lines: Sequence[str], form: Format, source: str, line: int = 1, *, partial: bool = False) -> Batch:
    """A sentence as a batch of its own, read from lines."""
    text = "\n".join([*lines, "", ""])
    batch, problems, _ = scan(text.encode(), form, source, line, partial=partial)
    if problems:
        raise explain(problems[0], source, form)
    return batch


def unwritten(batch: Batch) -> list[str]:
    """The fields of which layers say something and for which the batch's format has no column."""
    return [name for name in batch.overlay.columns if name in FIELDS and batch.format.index(name) < 0]


def as_seen(batch: Batch, index: int) -> Batch:
    """A sentence of a batch alone; what layers say stands in its cells, where there is a column for it."""
    return with_cells(batch, index, {}) if batch.layers else batch.alone(index)


def with_cells(batch: Batch, index: int, columns: Mapping[str, Any]) -> Batch:
    """A sentence of a batch with other cells in some columns, by the names that users have for them."""
    form = batch.format
    rows = [line.split("\t") for line in batch.raw(index).decode().split("\n")[:-1]]
    kinds = batch.kind[batch.sentence_line[index] : batch.sentence_line[index + 1]]
    replace_cells([row for row, kind in zip(rows, kinds, strict=True) if kind == WORD], form, columns)
    words = slice(*batch.sentence_word[index : index + 2].tolist())
    partial = batch.partial and bool(batch.heads[words.start] < 0)
    lines = ["\t".join(row) for row in rows]
    changed = of_lines(lines, form, batch.source, int(batch.numbers[index]), partial=partial)
    for layer in batch.layers:
        others = {name: codes for name, codes in layer.columns.items() if name in unwritten(batch)}
        if others:
            cut = {name: Codes(codes.codes[words], codes.names) for name, codes in others.items()}
            changed = changed.with_layer(layer.name, columns=cut)
    return changed if batch.spans is None else replace(changed, spans=batch.spans.part(words))
