"""Projective decoding with siblings against the enumeration of all projective trees."""

import numpy as np
import pytest
from scored_trees import (
    KINDS,
    ROOTS,
    arc_matrix,
    best_with_siblings,
    chain,
    inwards,
    planted,
    sibling_cube,
    sibling_total,
    totals,
    trees_of,
)

from headway.data.trees import is_projective
from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.graph.decoders import eisner


@ROOTS
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees_with_siblings(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, projective=True, single=single_root).tolist()
    for _ in range(10 if n < 6 else 2):
        scores, siblings = arc_matrix(rng, n, kind), sibling_cube(rng, n, kind)
        best = max(sibling_total(heads, scores, siblings) for heads in trees)
        if best == -np.inf:
            assert best_with_siblings(eisner, scores, siblings, single_root=single_root) is None
            continue
        heads = best_with_siblings(eisner, scores, siblings, single_root=single_root).tolist()
        assert heads in trees
        assert sibling_total(heads, scores, siblings) == pytest.approx(best)


def test_a_hundred_words_with_siblings():
    n = 100
    rng = np.random.default_rng(0)
    heads = chain(inwards(n))
    scores, siblings = planted(rng, heads), rng.random((n + 1, n + 1, n + 1)) / 4
    for single_root in (False, True):
        assert best_with_siblings(eisner, scores, siblings, single_root=single_root).tolist() == heads.tolist()


@ROOTS
def test_the_trees_of_long_sentences_are_projective(single_root):
    scores = np.random.default_rng(0).standard_normal((201, 201))
    ranking = eisner.k_best(scores, 50, single_root=single_root)
    assert len(ranking) == 50
    assert all(is_projective(heads) for heads, _ in ranking)


@ROOTS
def test_kernels_return_the_score(single_root):
    rng, kernel = np.random.default_rng(0), TreeDecoder("eisner")
    for kind in KINDS[:3]:
        scores, siblings = arc_matrix(rng, 9, kind), sibling_cube(rng, 9, kind)
        nodes = np.zeros(10, np.int32)
        total = kernel.decode(scores, None, single_root, nodes)
        assert total == pytest.approx(totals(nodes[None, 1:], scores)[0])
        total = kernel.decode(scores, siblings, single_root, nodes)
        assert total == pytest.approx(sibling_total(nodes[1:], scores, siblings))
