"""What decoders have in common: matrices of scores in, heads out.

`scores[head, child]` rates an arc; node 0 is the root, words are nodes 1 to n. `siblings[head, child, previous]` rates
a child beside the next child of the same head on the same side nearer to it; `previous` is the head where there is
none. -inf forbids an arc or a pair of siblings. What no tree can use is never looked at: arcs to the root, from a word
to itself, siblings that do not lie between head and child. Heads are as in a sentence: `heads[i]` is the head of word
i + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.base.errors import HeadwayError
from headway.data.trees import as_tree
from headway.kernels.graph.decoding import TreeDecoder, unusable, unusable_siblings

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Tree = tuple[Ints, float]


def arc_scores(scores: ArrayLike) -> Floats:
    """The scores as the kernels want them: one square matrix without +inf and NaN. Copied only where need be."""
    matrix = np.ascontiguousarray(scores, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise HeadwayError(
            f"expected a square matrix of arc scores, got shape {matrix.shape};"
            " give a row for each head and a column for each child, the root included"
        )
    at = unusable(matrix)
    if at >= 0:
        head, child = divmod(at, len(matrix))
        raise HeadwayError(
            f"the score of the arc from {head} to {child} is {matrix[head, child]};"
            " scores are finite, or -inf where an arc is forbidden"
        )
    return matrix


def sibling_scores(siblings: ArrayLike, words: int) -> Floats:
    """The scores of siblings as the kernels want them: one cube without +inf and NaN. Copied only where need be."""
    cube = np.ascontiguousarray(siblings, np.float64)
    if cube.shape != (words + 1,) * 3:
        raise HeadwayError(
            f"sibling scores of shape {cube.shape} do not fit {words} words; give an array of shape {(words + 1,) * 3}"
        )
    at = unusable_siblings(cube)
    if at >= 0:
        place = tuple(map(int, np.unravel_index(at, cube.shape)))
        raise HeadwayError(
            f"the score of the siblings {place} is {cube[place]}; scores are finite, or -inf where a pair is forbidden"
        )
    return cube


def best_tree(
    decoder: TreeDecoder, scores: ArrayLike, siblings: ArrayLike | None, single_root: bool, kind: str
) -> Ints:
    """Heads of the best tree of a decoder of ours; `kind` says in words among which trees."""
    matrix = arc_scores(scores)
    cube = None if siblings is None else sibling_scores(siblings, len(matrix) - 1)
    heads = np.empty(len(matrix), np.int32)
    if decoder.decode(matrix, cube, single_root, heads) == -np.inf:
        raise HeadwayError(
            f"every {kind} tree holds something forbidden; give more arcs and siblings a score above -inf"
        )
    return heads[1:]


def best_trees(decoder: TreeDecoder, matrix: Floats, k: int, single_root: bool, most: int) -> list[Tree]:
    """The k best trees of a decoder of ours, of which there cannot be more than `most`, with their scores."""
    if k < 1:
        raise HeadwayError(f"{k} trees were asked for; ask for one at least")
    count = min(k, most)
    heads = np.empty((count, len(matrix)), np.int32)
    totals = np.empty(count)
    found = decoder.k_best(matrix, single_root, heads, totals)
    return [(heads[tree, 1:], float(totals[tree])) for tree in range(found)]


def checked(name: str, decode: Callable[..., Any]) -> Callable[[Floats, bool], Ints]:
    """A decoder as the kernels call it: its heads are those of a tree of all words, or an error says what they are."""

    def heads(scores: Floats, single_root: bool) -> Ints:
        found, words = np.asarray(decode(scores, single_root=single_root)), len(scores) - 1
        if found.shape != (words,) or found.dtype.kind not in "iu":
            raise HeadwayError(
                f"decoder {name} gave heads of shape {found.shape} and type {found.dtype} for {words} words;"
                f" let it return {words} whole numbers"
            )
        if words and not 0 <= found.min() <= found.max() <= words:
            raise HeadwayError(
                f"decoder {name} gave heads from {found.min()} to {found.max()} for {words} words;"
                f" let it return heads from 0, which is the root, to {words}"
            )
        try:
            tree = as_tree(found)
        except HeadwayError as error:
            raise HeadwayError(f"decoder {name}: {error}") from None
        roots = int(np.count_nonzero(tree == 0))
        if single_root and roots != 1:
            raise HeadwayError(
                f"decoder {name} gave a tree with {roots} roots where a single one was asked for;"
                " let it heed single_root"
            )
        return tree

    return heads
