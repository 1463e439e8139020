"""Decoders by name, and what they have in common: matrices of scores in, heads out.

`scores[head, child]` rates an arc; node 0 is the root, words are nodes 1 to n. `siblings[head, child, previous]` rates
a child beside the next child of the same head on the same side nearer to it; `previous` is the head where there is
none. -inf forbids an arc or a pair of siblings. What no tree can use is never looked at: arcs to the root, from a word
to itself, siblings that do not lie between head and child. Heads are as in a sentence: `heads[i]` is the head of word
i + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import HeadwayError, known
from headway.kernels import eisner as kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Tree = tuple[Ints, float]

DECODERS = {
    "eisner": "headway.graph.eisner",
    "chu-liu-edmonds": "headway.graph.chu_liu_edmonds",
}
"""For each decoder its module, with the functions decode, decode_siblings and k_best."""


def decoder(name: str) -> ModuleType:
    """The decoder of that name."""
    if name not in DECODERS:
        raise HeadwayError(f"unknown decoder {name!r}; {known(DECODERS)}")
    return import_module(DECODERS[name])


def arc_scores(scores: ArrayLike) -> Floats:
    """The scores as the kernels want them: one square matrix without +inf and NaN. Copied only where need be."""
    matrix = np.ascontiguousarray(scores, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise HeadwayError(
            f"arc scores of shape {matrix.shape} are no square matrix;"
            " give a row for each head and a column for each child, the root included"
        )
    at = kernel.unusable(matrix)
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
    at = kernel.unusable_siblings(cube)
    if at >= 0:
        place = tuple(map(int, np.unravel_index(at, cube.shape)))
        raise HeadwayError(
            f"the score of the siblings {place} is {cube[place]}; scores are finite, or -inf where a pair is forbidden"
        )
    return cube


def check(total: float, kind: str) -> None:
    """Refuse the score of no tree at all."""
    if total == -np.inf:
        raise HeadwayError(
            f"every {kind} tree holds something forbidden; give more arcs and siblings a score above -inf"
        )


def best_trees(
    kernel_k_best: Callable[[Floats, bool, Ints, Floats], int], matrix: Floats, k: int, single_root: bool, most: int
) -> list[Tree]:
    """The k best trees of a kernel, of which there cannot be more than `most`, with their scores."""
    if k < 1:
        raise HeadwayError(f"{k} trees were asked for; ask for one at least")
    count = min(k, most)
    heads = np.empty((count, len(matrix)), np.int32)
    totals = np.empty(count)
    found = kernel_k_best(matrix, single_root, heads, totals)
    return [(heads[tree, 1:], float(totals[tree])) for tree in range(found)]
