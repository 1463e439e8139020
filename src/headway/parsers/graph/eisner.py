"""The best projective trees by dynamic programming; `decoders` says what scores and heads look like."""

from __future__ import annotations

from math import comb

from numpy.typing import ArrayLike

from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.graph.decoders import Ints, Tree, arc_scores, best_tree, best_trees

projective = True
longest = 1000
KERNEL = TreeDecoder("eisner")


def decode(scores: ArrayLike, *, single_root: bool = False) -> Ints:
    """Heads of the best projective tree, shape (n,), for scores of shape (n + 1, n + 1).

    O(n³) time, O(n²) memory. Eisner (1996).

    >>> decode([[0, 1, 5, 1], [0, 0, 1, 4], [0, 4, 0, 1], [0, 1, 1, 0]]).tolist()
    [2, 0, 2]
    """
    return best_tree(KERNEL, scores, None, single_root, "projective")


def decode_siblings(scores: ArrayLike, siblings: ArrayLike, *, single_root: bool = False) -> Ints:
    """Heads of the best projective tree under scores of arcs and of adjacent siblings, shape (n + 1, n + 1, n + 1).

    O(n³) time, O(n²) memory beside the scores. McDonald and Pereira (2006).
    """
    return best_tree(KERNEL, scores, siblings, single_root, "projective")


def k_best(scores: ArrayLike, k: int, *, single_root: bool = False) -> list[Tree]:
    """The k best projective trees as pairs of heads and score, the best first; fewer where there are fewer.

    O(n³) time for the first tree, O(n²) at the most for each other. Huang and Chiang (2005).
    """
    matrix = arc_scores(scores)
    words = len(matrix) - 1
    return best_trees(KERNEL, matrix, k, single_root, comb(3 * words, words) // (2 * words + 1))
