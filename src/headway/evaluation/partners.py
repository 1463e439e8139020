"""Sentences that could not be read in one file are left out of the others too, so that both stay side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headway.errors import HeadwayError, counted
from headway.evaluation.columns import Ints, Mask, TreebankColumns


def together(files: Sequence[TreebankColumns]) -> list[TreebankColumns]:
    """The files without the sentences that one of them had to leave out; the n-th sentences are partners. O(n).

    A file from which they are gone already, as from what a parser wrote that left them out, stays as it is.
    """
    if not any(columns.left_out for columns in files):
        return list(files)
    if len({columns.sentences for columns in files}) == 1 and len({_total(columns) for columns in files}) > 1:
        return [replace(columns, left_out=()) for columns in files]
    if len({_total(columns) for columns in files}) > 1:
        counts = " and ".join(f"{columns.source} has {counted(_total(columns), 'sentence')}" for columns in files)
        what = "cannot tell which sentences belong to those that were left out"
        raise HeadwayError(f"{counts}, so that evaluation {what}; correct them, or remove them from all files")
    places = [_places(columns) for columns in files]
    shared = np.ones(_total(files[0]), np.bool_)
    for found in places:
        shared &= np.isin(np.arange(len(shared)), found)
    if not shared.any():
        raise HeadwayError("no sentence could be read in all files; correct them first")
    return [_kept(columns, shared[found]) for columns, found in zip(files, places, strict=True)]


def _total(columns: TreebankColumns) -> int:
    """How many sentences the file has, with those that were left out."""
    return columns.sentences + len(columns.left_out)


def _places(columns: TreebankColumns) -> Ints:
    """The place of each sentence in its file, from 0, where those that were left out have one too."""
    numbers = np.arange(columns.sentences, dtype=np.int32)
    return numbers + np.searchsorted(np.array(columns.left_out, np.int32), numbers, "right").astype(np.int32)


def _kept(columns: TreebankColumns, keep: Mask) -> TreebankColumns:
    """The sentences to keep, as if the file had no others."""
    words = keep[columns.sentence]
    place = np.cumsum([0, *words], dtype=np.int32)
    spans = columns.spans[words[columns.spans[:, 0]]]
    strings = ("heads", "lines", "forms", "lemmas", "upos", "xpos", "feats", "deprels")
    return replace(
        columns,
        first=np.cumsum([0, *np.diff(columns.first)[keep]], dtype=np.int32),
        spans=np.column_stack([place[spans[:, :2]], spans[:, 2]]).astype(np.int32),
        left_out=(),
        confidences=None if columns.confidences is None else columns.confidences[words],
        **{name: getattr(columns, name)[words] for name in strings},
    )
