"""The best trees: projective ones by dynamic programming (Eisner), any as maximum spanning trees (Chu-Liu-Edmonds).

`scores[head, child]` rates an arc; node 0 is the root, words are nodes 1 to n. `siblings[head, child, previous]` rates
a child beside the next child of the same head on the same side nearer to it; `previous` is the head where there is
none. -inf forbids an arc or a pair of siblings. What no tree can use is never looked at: arcs to the root, from a word
to itself, siblings that do not lie between head and child. Heads are as in a sentence: `heads[i]` is the head of word
i + 1.
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
from headway.kernels.graph import decoding
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
        kind = "projective" if self.projective else "single-root" if single_root else "possible"
        return self._best(scores, None, single_root, kind)

    def decode_siblings(self, scores: ArrayLike, siblings: ArrayLike, *, single_root: bool = False) -> Ints:
        """Heads of the best projective tree under scores of arcs and of adjacent siblings, (n + 1, n + 1, n + 1).

        Where trees need not be projective, it is rearranged: a good tree, as the best itself is NP-hard to find. O(n³)
        time, O(n²) memory beside the scores. McDonald and Pereira (2006).
        """
        return self._best(scores, siblings, single_root, "projective")

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

    def _best(self, scores: ArrayLike, siblings: ArrayLike | None, single_root: bool, kind: str) -> Ints:
        """Heads of the best tree; `kind` says in words among which trees."""
        matrix = arc_scores(scores)
        cube = None if siblings is None else sibling_scores(siblings, len(matrix) - 1)
        heads = np.empty(len(matrix), np.int32)
        if self.kernel.decode(matrix, cube, single_root, heads) == -np.inf:
            raise HeadwayError(
                f"every {kind} tree holds something forbidden; give more arcs and siblings a score above -inf"
            )
        return heads[1:]


eisner = OwnDecoder(TreeDecoder("eisner"), True, 1000, lambda words: comb(3 * words, words) // (2 * words + 1))
"""O(n³) time, O(n²) memory, Eisner (1996); O(n²) at the most for each of the next best, Huang and Chiang (2005)."""
chu_liu_edmonds = OwnDecoder(
    TreeDecoder("chu-liu-edmonds"), False, 2000, lambda words: (words + 1) ** max(words - 1, 0)
)
"""O(n²) time and memory, McDonald, Pereira, Ribarov and Hajič (2005); the k best in O(kn² + k²) time, Camerini, Fratta
and Maffioli (1980), Zmigrod, Vieira and Cotterell (2021)."""


def rearrange(heads: ArrayLike, scores: ArrayLike, siblings: ArrayLike, *, single_root: bool = False) -> Ints:
    """Heads after the best change of one head, again and again until none makes a better tree of it.

    O(n²) time for each change. McDonald and Pereira (2006).
    """
    matrix = arc_scores(scores)
    words = len(matrix) - 1
    cube = sibling_scores(siblings, words)
    tree = as_tree(np.asarray(heads))
    if len(tree) != words:
        raise HeadwayError(f"{len(tree)} heads do not fit scores for {words} words; give a head for each word")
    if single_root and words and np.count_nonzero(tree == 0) != 1:
        raise HeadwayError("the tree to be rearranged has several roots; give one with a single root, or allow several")
    nodes = np.concatenate([np.zeros(1, np.int32), tree])
    if decoding.rearrange(matrix, cube, single_root, nodes) == -np.inf:
        raise HeadwayError("the tree to be rearranged holds an arc or siblings of score -inf; begin with another tree")
    return nodes[1:]


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
