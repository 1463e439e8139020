"""The best trees: projective ones by dynamic programming (Eisner), any as maximum spanning trees (Chu-Liu-Edmonds).

`scores[head, child]` rates an arc; node 0 is the root, words are nodes 1 to n. -inf forbids an arc. Arcs to the root
and from a word to itself are never looked at. Heads are as in a sentence: `heads[i]` is the head of word i + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.base.errors import HeadwayError
from headway.data.trees import as_tree
from headway.kernels.graph.decoding import TreeDecoder, unusable

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


@dataclass(frozen=True, eq=False)
class OwnDecoder:
    """A decoder of ours, which the kernels call without Python: matrices of scores in, heads out."""

    kernel: TreeDecoder
    projective: bool
    """Whether all its trees are projective."""
    longest: int
    """Words of the longest sentence that it takes as a whole where nobody says."""
    trees: Callable[[int], int]
    """How many trees so many words have."""

    def decode(self, scores: ArrayLike, *, single_root: bool = False) -> Ints:
        """Heads of the best tree, shape (n,), for scores of shape (n + 1, n + 1).

        >>> scores = [[0, 1, 5, 1], [0, 0, 1, 4], [0, 4, 0, 1], [0, 1, 1, 0]]
        >>> eisner.decode(scores).tolist(), chu_liu_edmonds.decode(scores).tolist()
        ([2, 0, 2], [2, 0, 1])
        """
        matrix = arc_scores(scores)
        heads = np.empty(len(matrix), np.int32)
        if self.kernel.decode(matrix, None, single_root, heads) == -np.inf:
            kind = "projective" if self.projective else "single-root" if single_root else "possible"
            raise HeadwayError(f"every {kind} tree holds something forbidden; give more arcs a score above -inf")
        return heads[1:]

    def k_best(self, scores: ArrayLike, k: int, *, single_root: bool = False) -> list[Tree]:
        """The k best trees as pairs of heads and score, the best first; fewer where there are fewer."""
        matrix = arc_scores(scores)
        if k < 1:
            raise HeadwayError(f"{k} trees were asked for; ask for one at least")
        count = min(k, self.trees(len(matrix) - 1))
        heads = np.empty((count, len(matrix)), np.int32)
        totals = np.empty(count)
        found = self.kernel.k_best(matrix, single_root, heads, totals)
        return [(heads[tree, 1:], float(totals[tree])) for tree in range(found)]


eisner = OwnDecoder(TreeDecoder("eisner"), True, 1000, lambda words: comb(3 * words, words) // (2 * words + 1))
"""O(n³) time, O(n²) memory, Eisner (1996); O(n²) at the most for each of the next best, Huang and Chiang (2005)."""
chu_liu_edmonds = OwnDecoder(
    TreeDecoder("chu-liu-edmonds"), False, 2000, lambda words: (words + 1) ** max(words - 1, 0)
)
"""O(n²) time and memory, McDonald, Pereira, Ribarov and Hajič (2005); the k best in O(kn² + k²) time, Camerini, Fratta
and Maffioli (1980), Zmigrod, Vieira and Cotterell (2021)."""


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
