"""Questions about dependency trees: is it one, is it projective, is it planar, how deep is it.

`heads[i]` is the head of word i + 1, 0 for a root; a tree may have several roots. Each question takes linear
time and any number of words. `shapes` answers all of them for the sentences of a whole batch at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.kernels.trees import shapes as kernel

Heads = Sequence[int] | NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]


class Shapes(NamedTuple):
    """The shape of each sentence of a batch (the first four), and of each of its words (the last two).

    Where a sentence has no tree (`trees` is False, as for one that is not parsed), it is neither projective
    nor planar, none of its arcs is marked, and words that no root leads to have depth 0.
    """

    trees: Bools
    projective: Bools
    planar: Bools
    roots: Ints
    nonprojective: Bools
    depths: Ints


def shapes(heads: Ints, offsets: Ints) -> Shapes:
    """The shapes of the sentences `heads[offsets[s] : offsets[s + 1]]`, as in a `Batch`. Linear time."""
    sentences, words = len(offsets) - 1, len(heads)
    shape = Shapes(
        trees=np.empty(sentences, np.bool_),
        projective=np.empty(sentences, np.bool_),
        planar=np.empty(sentences, np.bool_),
        roots=np.empty(sentences, np.int32),
        nonprojective=np.empty(words, np.bool_),
        depths=np.empty(words, np.int32),
    )
    flat = (part.view(np.uint8) if part.dtype == np.bool_ else part for part in shape)
    kernel.shapes(heads, offsets, workspace(words), *flat)
    return shape


def workspace(words: int) -> Ints:
    """Scratch space for the kernels; only as much of it is touched as the longest sentence needs."""
    return np.empty((kernel.WORK, words + 1), np.int32)


def is_tree(heads: Heads) -> bool:
    """Whether every word leads to the root by its heads: no cycle, and no head out of range."""
    return bool(_alone(heads).trees[0])


def is_projective(heads: Heads) -> bool:
    """Whether every head dominates all words between itself and its dependents; the root 0 dominates all."""
    return bool(_tree(heads).projective[0])


def nonprojective_arcs(heads: Heads) -> Bools:
    """For each word, whether some word between it and its head is not dominated by that head."""
    return _tree(heads).nonprojective


def is_planar(heads: Heads) -> bool:
    """Whether no two arcs between words cross, drawn above the sentence; arcs from 0 are not drawn."""
    return bool(_tree(heads).planar[0])


def depths(heads: Heads) -> Ints:
    """The number of arcs from 0 to each word: 1 for a root, 2 for its dependents."""
    return _tree(heads).depths


def as_tree(heads: Heads) -> Ints:
    """A copy of the heads as an array; an error where they are no tree."""
    flat = np.array(heads, np.int32)
    _tree(flat)
    return flat


def _alone(heads: Heads) -> Shapes:
    flat = np.ascontiguousarray(heads, np.int32)
    return shapes(flat, np.array([0, len(flat)], np.int32))


def _tree(heads: Heads) -> Shapes:
    shape = _alone(heads)
    if not shape.trees[0]:
        word = int(np.argmin(shape.depths))
        raise HeadwayError(
            f"these heads are not a tree: word {word + 1} of {len(heads)} has head {heads[word]} and does not"
            " lead to the root; give each word a head between 0 and the number of words, without a cycle"
        )
    return shape


def labels_before(heads: Sequence[int], labels: NDArray[np.int32], word: int) -> NDArray[np.int32]:
    """The labels that are known when that of a word is chosen, others -1: heads come before their children."""
    children: dict[int, list[int]] = {}
    for child, head in enumerate(heads, 1):
        children.setdefault(head, []).append(child)
    known, agenda = np.full(len(labels), -1, np.int32), [0]
    while agenda:
        node = agenda.pop()
        if node == word:
            return known
        if node:
            known[node - 1] = labels[node - 1]
        agenda += reversed(children.get(node, []))
    return known
