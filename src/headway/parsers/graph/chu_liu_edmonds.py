"""The best trees, projective or not, as maximum spanning trees; `decoders` says what scores and heads look like."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from headway.base.errors import HeadwayError
from headway.data.trees import as_tree
from headway.kernels.graph import decoding
from headway.parsers.graph.decoders import Ints, Tree, arc_scores, best_tree, best_trees, sibling_scores

projective = False
longest = 2000
KERNEL = decoding.TreeDecoder("chu-liu-edmonds")


def decode(scores: ArrayLike, *, single_root: bool = False) -> Ints:
    """Heads of the best tree, shape (n,), for scores of shape (n + 1, n + 1).

    O(n²) time and memory. McDonald, Pereira, Ribarov and Hajič (2005).

    >>> decode([[0, 1, 5, 1], [0, 0, 1, 4], [0, 4, 0, 1], [0, 1, 1, 0]]).tolist()
    [2, 0, 1]
    """
    return best_tree(KERNEL, scores, None, single_root, "single-root" if single_root else "possible")


def decode_siblings(scores: ArrayLike, siblings: ArrayLike, *, single_root: bool = False) -> Ints:
    """Heads of a good tree under scores of arcs and of adjacent siblings: the best projective one, rearranged.

    O(n³) time. The best tree itself is NP-hard to find. McDonald and Pereira (2006).
    """
    return best_tree(KERNEL, scores, siblings, single_root, "projective")


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


def k_best(scores: ArrayLike, k: int, *, single_root: bool = False) -> list[Tree]:
    """The k best trees as pairs of heads and score, the best first; fewer where there are fewer.

    O(kn² + k²) time. Camerini, Fratta and Maffioli (1980); Zmigrod, Vieira and Cotterell (2021).
    """
    matrix = arc_scores(scores)
    words = len(matrix) - 1
    return best_trees(KERNEL, matrix, k, single_root, (words + 1) ** max(words - 1, 0))
