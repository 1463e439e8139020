"""Trees by brute force: all of them, their scores by definition, and matrices of scores to try decoders on."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from derivations import all_trees

from headway.kernels.graph.decoding import rearrange


@cache
def trees_of(n, *, projective=False, single=False):
    """All trees of n words as rows of heads."""
    return np.array(all_trees(n, projective=projective, single=single), np.int32).reshape(-1, n)


def totals(trees, scores):
    """The score of each row of heads."""
    return scores[trees, np.arange(1, trees.shape[1] + 1)].sum(axis=1)


def sibling_total(heads, scores, siblings):
    """The score of one tree: its arcs, and each child beside the one before it, from the head outwards."""
    words = range(1, len(heads) + 1)
    total = sum(scores[heads[word - 1], word] for word in words)
    for head in range(len(heads) + 1):
        children = [word for word in words if heads[word - 1] == head]
        left = [head, *(word for word in reversed(children) if word < head)]
        right = [head, *(word for word in children if word > head)]
        for side in (left, right):
            total += sum(siblings[head, child, previous] for previous, child in pairwise(side))
    return total


def arc_matrix(rng, n, kind):
    """Scores with NaN wherever a decoder has no business to look."""
    shape = (n + 1, n + 1)
    scores = rng.standard_normal(shape) if kind in ("random", "forbidden") else rng.integers(0, 3, shape) / 1.0
    if kind.startswith("forbidden"):
        scores[rng.random(shape) < 0.4] = -np.inf
    if kind == "tenths":
        scores /= 10
    scores[:, 0] = np.nan
    np.fill_diagonal(scores, np.nan)
    return scores


def sibling_cube(rng, n, kind):
    """Scores of siblings, NaN wherever no two siblings can be."""
    cube = np.stack([arc_matrix(rng, n, kind.replace("forbidden", "random")) for _ in range(n + 1)])
    if kind.startswith("forbidden"):
        cube[rng.random(cube.shape) < 0.1] = -np.inf
    head, child, previous = np.indices(cube.shape)
    between = (np.minimum(head, child) < previous) & (previous < np.maximum(head, child))
    cube = np.where(np.isnan(cube), 0.5, cube)
    return np.where((between | (previous == head)) & (child > 0) & (child != head), cube, np.nan)


ROOTS = pytest.mark.parametrize("single_root", [False, True], ids=["several roots", "single root"])
KINDS = ("random", "ties", "tenths", "forbidden", "forbidden ties")
"""Continuous scores; many equal ones, exact and such as rounding tells apart; four in ten arcs missing."""


def chain(order):
    """The tree in which each word of the order hangs on the word before it, the first on the root."""
    heads = np.zeros(len(order), np.int32)
    for head, word in pairwise(order):
        heads[word - 1] = head
    return heads


def inwards(n):
    """The last word, the first, the last but one, the second, and so on."""
    return [n - step // 2 if step % 2 == 0 else step // 2 + 1 for step in range(n)]


def planted(rng, heads):
    """Scores under which a tree is the best one by far."""
    n = len(heads)
    scores = rng.random((n + 1, n + 1))
    scores[heads, np.arange(1, n + 1)] += 2
    return scores


def check_ranking(ranking, trees, scores):
    """Each tree once, with its own score, in order; and the scores are the best of all trees."""
    expected = np.sort(totals(trees, scores))[::-1]
    expected = expected[expected > -np.inf][: len(ranking)]
    found = np.array([total for _, total in ranking])
    heads = np.array([heads for heads, _ in ranking], np.int32).reshape(len(ranking), trees.shape[1])
    assert (np.diff(found) <= 0).all()
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(found, totals(heads, scores), atol=1e-12)
    assert len({tuple(row) for row in heads.tolist()}) == len(ranking)
    assert {tuple(row) for row in heads.tolist()} <= {tuple(row) for row in trees.tolist()}


def best_with_siblings(decoder, scores, siblings, *, single_root=False):
    """Heads of the tree that a decoder's kernel finds under scores of arcs and siblings; None where none is allowed."""
    heads = np.empty(len(scores), np.int32)
    total = decoder.kernel.decode(scores, siblings, single_root, heads)
    return None if total == -np.inf else heads[1:]


def rearranged(heads, scores, siblings, *, single_root=False):
    """Heads after the best change of one head, again and again until none makes a better tree of it."""
    nodes = np.concatenate([[0], heads]).astype(np.int32)
    assert rearrange(scores, siblings, single_root, nodes) > -np.inf
    return nodes[1:]
