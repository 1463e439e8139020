"""Sentences that could not be read in one file are left out of the others too, so that both stay side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headway.base.errors import HeadwayError, counted
from headway.evaluation.columns import OF_WORDS, Ints, Mask, TreebankColumns


def together(files: Sequence[TreebankColumns]) -> list[TreebankColumns]:
    """The files without the sentences that one of them had to leave out; the n-th sentences are partners. O(n).

    A file from which they are gone already, as from what a parser wrote that left them out, stays as it is.
    """
    if not any(columns.left_out for columns in files):
        return list(files)
    sources, counts, gaps = zip(*((each.source, each.sentences, each.left_out) for each in files), strict=True)
    kept = readable_in_all(sources, counts, gaps)
    return [_kept(columns, keep) for columns, keep in zip(files, kept, strict=True)]


def readable_in_all(sources: Sequence[str], counts: Sequence[int], left_out: Sequence[tuple[int, ...]]) -> list[Mask]:
    """Which of the sentences that could be read in each file could be read in all; `left_out` as in `columns`."""
    totals = [count + len(gaps) for count, gaps in zip(counts, left_out, strict=True)]
    if len(set(totals)) > 1:
        if len(set(counts)) == 1 or not any(left_out):
            return [np.ones(count, np.bool_) for count in counts]
        told = " and ".join(
            f"{source} has {counted(total, 'sentence')}" for source, total in zip(sources, totals, strict=True)
        )
        what = "cannot be told which sentences belong to those that were left out"
        raise HeadwayError(f"{told}, so that it {what}; correct them, or remove them from all files")
    places = [_places(count, gaps) for count, gaps in zip(counts, left_out, strict=True)]
    shared = np.ones(totals[0], np.bool_)
    for found in places:
        shared &= np.isin(np.arange(len(shared)), found)
    if not shared.any():
        raise HeadwayError("no sentence could be read in all files; correct them first")
    return [shared[found] for found in places]


def _places(count: int, left_out: tuple[int, ...]) -> Ints:
    """The place of each sentence in its file, from 0, where those that were left out have one too."""
    numbers = np.arange(count, dtype=np.int32)
    return numbers + np.searchsorted(np.array(left_out, np.int32), numbers, "right").astype(np.int32)


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
