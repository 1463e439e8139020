"""Sentences that could not be read in one file are left out of the others too, so that both stay side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headway.base.errors import HeadwayError, counted
from headway.evaluation.columns import OF_WORDS, Mask, TreebankColumns


def readable_in_all(files: Sequence[TreebankColumns]) -> list[TreebankColumns]:
    """The files without the sentences that one of them had to leave out; the n-th sentences are partners. O(n).

    A file from which they are gone already, as from what a parser wrote that left them out, stays as it is.
    """
    if not any(columns.left_out for columns in files):
        return list(files)
    sources, counts, gaps = zip(*((each.source, each.sentences, each.left_out) for each in files), strict=True)
    kept = masks_of_readable(sources, counts, gaps)
    return [_kept(columns, keep) for columns, keep in zip(files, kept, strict=True)]


def masks_of_readable(sources: Sequence[str], counts: Sequence[int], left_out: Sequence[tuple[int, ...]]) -> list[Mask]:
    """Which of the sentences that could be read in each file could be read in all; `left_out` as in `columns`."""
    totals = [count + len(gaps) for count, gaps in zip(counts, left_out, strict=True)]
    if len(set(totals)) > 1:
        if len(set(counts)) == 1 or not any(left_out):
            return [np.ones(count, np.bool_) for count in counts]
        sizes = (f"{source} has {counted(total, 'sentence')}" for source, total in zip(sources, totals, strict=True))
        what = "is unclear which sentences belong to those that were left out"
        raise HeadwayError(f"{' and '.join(sizes)}, so that it {what}; correct them, or remove them from all files")
    readable = np.ones((len(counts), totals[0]), np.bool_)
    for row, gaps in zip(readable, left_out, strict=True):
        row[np.array(gaps, np.intp) + np.arange(len(gaps))] = False
    shared: Mask = np.logical_and.reduce(readable)
    if not shared.any():
        raise HeadwayError("no sentence could be read in all files; correct them first")
    return [shared[row] for row in readable]


def _kept(columns: TreebankColumns, keep: Mask) -> TreebankColumns:
    """The sentences to keep, as if the file had no others."""
    words = keep[columns.sentence]
    place = np.cumsum([0, *words], dtype=np.int32)
    spans = columns.spans[words[columns.spans[:, 0]]]
    return replace(
        columns,
        first=np.cumsum([0, *np.diff(columns.first)[keep]], dtype=np.int32),
        spans=np.column_stack([place[spans[:, :2]], spans[:, 2]]).astype(np.int32),
        left_out=(),
        confidences=None if columns.confidences is None else columns.confidences[words],
        **{name: getattr(columns, name)[words] for name in OF_WORDS},
    )
