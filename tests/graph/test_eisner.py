"""Projective decoders against the enumeration of all projective trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scored_trees import (
    KINDS,
    arc_matrix,
    chain,
    check_ranking,
    inwards,
    planted,
    sibling_cube,
    sibling_total,
    totals,
    trees_of,
)

from headway.errors import HeadwayError
from headway.graph import decoders, eisner
from headway.kernels import eisner as kernel
from headway.trees import is_projective

ROOTS = pytest.mark.parametrize("single_root", [False, True], ids=["several roots", "single root"])
WORDS = pytest.mark.parametrize("n", range(1, 7))


@ROOTS
@WORDS
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, projective=True, single=single_root)
    possible = set(map(tuple, trees.tolist()))
    for _ in range(20):
        scores = arc_matrix(rng, n, kind)
        best = totals(trees, scores).max()
        if best == -np.inf:
            with pytest.raises(HeadwayError, match="every projective tree holds something forbidden"):
                eisner.decode(scores, single_root=single_root)
            assert eisner.k_best(scores, 3, single_root=single_root) == []
            continue
        heads = eisner.decode(scores, single_root=single_root)
        assert tuple(heads.tolist()) in possible
        assert totals(heads[None], scores)[0] == pytest.approx(best)


@ROOTS
@WORDS
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees_with_siblings(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, projective=True, single=single_root).tolist()
    for _ in range(10 if n < 6 else 2):
        scores, siblings = arc_matrix(rng, n, kind), sibling_cube(rng, n, kind)
        best = max(sibling_total(heads, scores, siblings) for heads in trees)
        if best == -np.inf:
            with pytest.raises(HeadwayError, match="every projective tree holds something forbidden"):
                eisner.decode_siblings(scores, siblings, single_root=single_root)
            continue
        heads = eisner.decode_siblings(scores, siblings, single_root=single_root).tolist()
        assert heads in trees
        assert sibling_total(heads, scores, siblings) == pytest.approx(best)


@ROOTS
@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_all_trees_in_order(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, projective=True, single=single_root)
    for _ in range(5):
        scores = arc_matrix(rng, n, kind)
        ranking = eisner.k_best(scores, len(trees) + 1, single_root=single_root)
        assert len(ranking) == (totals(trees, scores) > -np.inf).sum()
        check_ranking(ranking, trees, scores)


@ROOTS
@pytest.mark.parametrize("k", [1, 2, 7, 100, 2000])
def test_some_of_all_trees_of_six_words(k, single_root):
    trees = trees_of(6, projective=True, single=single_root)
    scores = arc_matrix(np.random.default_rng(k), 6, "random")
    ranking = eisner.k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, len(trees))
    check_ranking(ranking, trees, scores)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: arrays(np.int16, (n + 1, n + 1))), st.integers(1, 60), st.booleans())
def test_whatever_the_scores(scores, k, single_root):
    scores = np.where(scores < -30000, -np.inf, scores / 7)
    trees = trees_of(len(scores) - 1, projective=True, single=single_root)
    ranking = eisner.k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, (totals(trees, scores) > -np.inf).sum())
    check_ranking(ranking, trees, scores)
    if ranking:
        heads = eisner.decode(scores, single_root=single_root)
        assert totals(heads[None], scores)[0] == pytest.approx(ranking[0][1])


@pytest.mark.parametrize("shape", ["right", "left", "star", "inwards"])
def test_five_hundred_words(shape):
    """Each span inside another one, as deep as can be."""
    n = 500
    heads = chain({"left": range(n, 0, -1), "inwards": inwards(n)}.get(shape, range(1, n + 1)))
    if shape == "star":
        heads[1:] = 1
    scores = planted(np.random.default_rng(0), heads)
    for single_root in (False, True):
        assert eisner.decode(scores, single_root=single_root).tolist() == heads.tolist()
        ranking = eisner.k_best(scores, 5, single_root=single_root)
        assert ranking[0][0].tolist() == heads.tolist()
        assert len({tuple(tree.tolist()) for tree, _ in ranking}) == 5
        assert all(is_projective(tree) for tree, _ in ranking)


def test_a_hundred_words_with_siblings():
    n = 100
    rng = np.random.default_rng(0)
    heads = chain(inwards(n))
    scores, siblings = planted(rng, heads), rng.random((n + 1, n + 1, n + 1)) / 4
    for single_root in (False, True):
        assert eisner.decode_siblings(scores, siblings, single_root=single_root).tolist() == heads.tolist()


def test_no_words():
    assert eisner.decode([[0]]).tolist() == []
    assert eisner.decode([[0]], single_root=True).tolist() == []
    assert eisner.decode_siblings([[0]], [[[0]]]).tolist() == []
    assert [(heads.tolist(), total) for heads, total in eisner.k_best([[0]], 3)] == [([], 0.0)]


@ROOTS
def test_kernels_return_the_score(single_root):
    rng = np.random.default_rng(0)
    for kind in KINDS[:3]:
        scores, siblings = arc_matrix(rng, 9, kind), sibling_cube(rng, 9, kind)
        nodes = np.zeros(10, np.int32)
        total = kernel.decode(scores, single_root, nodes)
        assert total == pytest.approx(totals(nodes[None, 1:], scores)[0])
        total = kernel.decode_siblings(scores, siblings, single_root, nodes)
        assert total == pytest.approx(sibling_total(nodes[1:], scores, siblings))


def test_scores_stay_as_they_are():
    rng = np.random.default_rng(0)
    scores, siblings = arc_matrix(rng, 5, "forbidden"), sibling_cube(rng, 5, "random")
    scores[0, 1:] = 0
    copies = scores.copy(), siblings.copy()
    scores.flags.writeable = siblings.flags.writeable = False
    eisner.decode(scores)
    eisner.decode_siblings(scores, siblings)
    eisner.k_best(scores, 9)
    np.testing.assert_array_equal(scores, copies[0])
    np.testing.assert_array_equal(siblings, copies[1])


def test_any_kind_of_array():
    scores = np.random.default_rng(0).integers(0, 9, (6, 6))
    expected = eisner.decode(scores).tolist()
    for same in (
        scores.tolist(),
        scores.astype(np.float32),
        np.asfortranarray(scores),
        np.repeat(scores, 2, 1)[:, ::2],
    ):
        assert eisner.decode(same).tolist() == expected


def test_what_is_refused():
    good = np.zeros((3, 3))
    for scores in (np.zeros(3), np.zeros((3, 4)), np.zeros((0, 0)), np.zeros((2, 2, 2))):
        with pytest.raises(HeadwayError, match="no square matrix"):
            eisner.decode(scores)
    for value in (np.nan, np.inf):
        bad = good.copy()
        bad[2, 1] = value
        with pytest.raises(HeadwayError, match=f"from 2 to 1 is {value}"):
            eisner.decode(bad)
        with pytest.raises(HeadwayError, match=f"from 2 to 1 is {value}"):
            eisner.k_best(bad, 2)
        cube = np.zeros((3, 3, 3))
        cube[0, 2, 1] = value
        with pytest.raises(HeadwayError, match=rf"siblings \(0, 2, 1\) is {value}"):
            eisner.decode_siblings(good, cube)
    with pytest.raises(HeadwayError, match="do not fit 2 words"):
        eisner.decode_siblings(good, np.zeros((2, 2, 2)))
    with pytest.raises(HeadwayError, match="0 trees were asked for"):
        eisner.k_best(good, 0)


def test_decoders_by_name():
    for name in decoders.DECODERS:
        assert decoders.decoder(name).decode([[0, 1], [0, 0]]).tolist() == [0]
    with pytest.raises(HeadwayError, match="unknown decoder 'viterbi'; known are: chu-liu-edmonds, eisner"):
        decoders.decoder("viterbi")
