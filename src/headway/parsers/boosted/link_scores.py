"""What links score beside a tree that was found: each word pair as if all other words stayed where they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT, Floats, Logits

Longs = NDArray[np.int64]


def scores_beside(logits: Logits, heads: Ints) -> Floats:
    """For each cell (head, child), how much more probable the link is than none, as a logarithm.

    States and first children of both words are those that they have in the tree; see `decoder`. O(n²).
    """
    found, cell, first = np.empty(len(logits.static)), 0, 0
    for words in np.diff(logits.offsets).tolist():
        size = (words + 1) ** 2
        part, tree = slice(cell, cell + size), slice(first, first + words)
        sums = np.array(logits.static[part])
        if logits.rows is not None and len(logits.rows):
            sums += _of_states(logits, part, tree, heads[tree])
        if logits.first_rows is not None and len(logits.first_rows):
            sums += _of_first(logits, part, tree, heads[tree])
        pairs = sums.reshape(words + 1, words + 1, 3)
        right, left = (np.triu(pairs[:, :, link] - pairs[:, :, NONE], 1) for link in (RIGHT, LEFT))
        found[part] = (right + left.T).ravel()
        cell, first = cell + size, first + words
    return found


def _of_states(logits: Logits, part: slice, tree: slice, heads: Ints) -> Floats:
    """The logits of what both words have, [cell, class], right where a < b."""
    assert logits.rows is not None and logits.states is not None and logits.tags is not None
    width = len(heads) + 1
    counts, outermost = np.zeros((width, width), np.int64), np.zeros((width, width), np.int64)
    for child in range(1, width):
        head = heads[child - 1]
        if head < child:
            counts[head, child + 1 :] += 1
            outermost[head, child + 1 :] = child
    for child in range(width - 1, 0, -1):
        head = heads[child - 1]
        if head > child:
            counts[head, :child] += 1
            outermost[head, :child] = child
    tags = np.concatenate([[0], logits.tags[tree]])[outermost]
    rows = logits.rows[part].reshape(width, width)
    most = logits.states.shape[1] - 1
    told = logits.states[np.maximum(rows, 0), np.minimum(counts, most), tags] * (rows >= 0)[:, :, None]
    return np.asarray(told + told.transpose(1, 0, 2)).reshape(-1, 3)


def _of_first(logits: Logits, part: slice, tree: slice, heads: Ints) -> Floats:
    """The logits of the first children that both words show, [cell, class], right where a < b."""
    assert logits.first_rows is not None and logits.first is not None and logits.values is not None
    width = len(heads) + 1
    on_right, on_left = np.zeros(width, np.int64), np.zeros(width, np.int64)
    for child in range(1, width):
        if heads[child - 1] > child:
            on_left[heads[child - 1]] = child
    for child in range(width - 1, 0, -1):
        if heads[child - 1] < child:
            on_right[heads[child - 1]] = child
    a, b = np.indices((width, width))
    of_left = np.where((on_right[a] > 0) & (on_right[a] < b), on_right[a], 0)
    of_right = np.where(on_right[b] > 0, on_right[b], np.where(on_left[b] > a, on_left[b], 0))
    values = np.concatenate([[0], logits.values[tree]])
    rows = logits.first_rows[part].reshape(width, width)
    told = logits.first[np.maximum(rows, 0), values[of_right]] * (rows >= 0)[:, :, None]
    told += logits.first[np.maximum(rows.T, 0), values[of_left]] * (rows.T >= 0)[:, :, None]
    return np.asarray(told).reshape(-1, 3)
