"""Rearranged trees against all changes of one head."""

import numpy as np
import pytest
from derivations import is_tree
from scored_trees import (
    KINDS,
    ROOTS,
    arc_matrix,
    best_with_siblings,
    chain,
    planted,
    rearranged,
    sibling_cube,
    sibling_total,
    totals,
)

from headway.kernels.graph import decoding as kernel
from headway.parsers.graph.decoders import chu_liu_edmonds, eisner


def neighbours(heads, *, single_root):
    """All trees that differ in one head; with a single root from words only."""
    for child in range(1, len(heads) + 1):
        for head in range(1 if single_root else 0, len(heads) + 1):
            changed = [*heads[: child - 1], head, *heads[child:]]
            if head != child and is_tree(changed):
                yield changed


@ROOTS
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", KINDS)
def test_rearranged_until_no_change_helps(kind, n, single_root):
    rng = np.random.default_rng(n)
    for _ in range(5):
        scores, siblings = arc_matrix(rng, n, kind), sibling_cube(rng, n, kind)
        heads = best_with_siblings(eisner, scores, siblings, single_root=single_root)
        other = best_with_siblings(chu_liu_edmonds, scores, siblings, single_root=single_root)
        if heads is None:
            assert other is None
            continue
        found = rearranged(heads, scores, siblings, single_root=single_root).tolist()
        assert found == other.tolist()
        total = sibling_total(found, scores, siblings)
        assert is_tree(found)
        assert not single_root or found.count(0) == 1
        around = [sibling_total(tree, scores, siblings) for tree in neighbours(found, single_root=single_root)]
        assert total >= max(around, default=total) - 1e-9
        greedy = climb(heads.tolist(), scores, siblings, single_root=single_root)
        assert total == pytest.approx(sibling_total(greedy, scores, siblings)) or kind not in ("random", "forbidden")


def climb(heads, scores, siblings, *, single_root):
    """The best change again and again, each tree scored by definition."""
    while True:
        trees = list(neighbours(heads, single_root=single_root))
        best = max(trees, key=lambda tree: sibling_total(tree, scores, siblings), default=heads)
        if sibling_total(best, scores, siblings) <= sibling_total(heads, scores, siblings):
            return heads
        heads = best


def test_a_tree_that_no_projective_one_is():
    """Word 3 wants word 1 as its head, across the root."""
    scores = np.zeros((4, 4))
    scores[0, 2], scores[2, 1], scores[1, 3], scores[2, 3] = 5, 4, 4, 1
    siblings = np.zeros((4, 4, 4))
    assert best_with_siblings(eisner, scores, siblings).tolist() == [2, 0, 2]
    assert best_with_siblings(chu_liu_edmonds, scores, siblings).tolist() == [2, 0, 1]
    siblings[1, 3, 1] = -4
    assert best_with_siblings(chu_liu_edmonds, scores, siblings).tolist() == [2, 0, 2]


def test_rearranging_a_long_tree():
    n = 120
    rng = np.random.default_rng(0)
    heads = chain([*range(2, n + 1, 2), *range(1, n + 1, 2)])
    scores, siblings = planted(rng, heads), np.zeros((n + 1, n + 1, n + 1))
    start = eisner.decode(scores)
    found = rearranged(start, scores, siblings)
    assert (found != start).sum() > n / 4
    assert totals(found[None], scores)[0] > totals(start[None], scores)[0]


@ROOTS
def test_the_kernel_returns_the_score(single_root):
    rng = np.random.default_rng(0)
    for kind in KINDS[:3]:
        scores, siblings = arc_matrix(rng, 9, kind), sibling_cube(rng, 9, kind)
        nodes = np.concatenate([[0], eisner.decode(scores, single_root=single_root)]).astype(np.int32)
        total = kernel.rearrange(scores, siblings, single_root, nodes)
        assert total == pytest.approx(sibling_total(nodes[1:], scores, siblings))
