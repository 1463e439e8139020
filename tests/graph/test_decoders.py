"""What all decoders have in common, against the enumeration of all their trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scored_trees import (
    KINDS,
    ROOTS,
    arc_matrix,
    best_with_siblings,
    chain,
    check_ranking,
    inwards,
    planted,
    sibling_cube,
    totals,
    trees_of,
)

from headway.base.errors import HeadwayError, known
from headway.parsers.graph.registry import DECODERS

NAMES = pytest.mark.parametrize("name", DECODERS.own)


def all_trees_for(name, n, single_root):
    return trees_of(n, projective=DECODERS[name].projective, single=single_root)


@NAMES
@ROOTS
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees(kind, n, single_root, name):
    rng, decode = np.random.default_rng(n), DECODERS[name].decode
    trees = all_trees_for(name, n, single_root)
    possible = set(map(tuple, trees.tolist()))
    for _ in range(20):
        scores = arc_matrix(rng, n, kind)
        best = totals(trees, scores).max()
        if best == -np.inf:
            with pytest.raises(HeadwayError, match="tree holds something forbidden"):
                decode(scores, single_root=single_root)
            assert DECODERS[name].k_best(scores, 3, single_root=single_root) == []
            continue
        heads = decode(scores, single_root=single_root)
        assert tuple(heads.tolist()) in possible
        assert totals(heads[None], scores)[0] == pytest.approx(best)


@NAMES
@ROOTS
@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_all_trees_in_order(kind, n, single_root, name):
    rng = np.random.default_rng(n)
    trees = all_trees_for(name, n, single_root)
    for _ in range(12 if n < 5 else 3):
        scores = arc_matrix(rng, n, kind)
        ranking = DECODERS[name].k_best(scores, len(trees) + 1, single_root=single_root)
        assert len(ranking) == (totals(trees, scores) > -np.inf).sum()
        check_ranking(ranking, trees, scores)


@NAMES
@ROOTS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 2, 7, 500, 2000])
def test_some_of_all_trees_of_six_words(k, kind, single_root, name):
    trees = all_trees_for(name, 6, single_root)
    scores = arc_matrix(np.random.default_rng(k), 6, kind)
    ranking = DECODERS[name].k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, (totals(trees, scores) > -np.inf).sum())
    check_ranking(ranking, trees, scores)


@NAMES
@settings(max_examples=60)
@given(st.integers(1, 4).flatmap(lambda n: arrays(np.int16, (n + 1, n + 1))), st.integers(1, 130), st.booleans())
def test_whatever_the_scores(name, scores, k, single_root):
    scores = np.where(scores < -30000, -np.inf, scores / 7)
    trees = all_trees_for(name, len(scores) - 1, single_root)
    ranking = DECODERS[name].k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, (totals(trees, scores) > -np.inf).sum())
    check_ranking(ranking, trees, scores)
    if ranking:
        heads = DECODERS[name].decode(scores, single_root=single_root)
        assert totals(heads[None], scores)[0] == pytest.approx(ranking[0][1])


@NAMES
@pytest.mark.parametrize("shape", ["right", "left", "star", "inwards"])
def test_five_hundred_words(shape, name):
    """Each span inside another one, as deep as can be."""
    n = 500
    heads = chain({"left": range(n, 0, -1), "inwards": inwards(n)}.get(shape, range(1, n + 1)))
    if shape == "star":
        heads[1:] = 1
    scores = planted(np.random.default_rng(0), heads)
    for single_root in (False, True):
        assert DECODERS[name].decode(scores, single_root=single_root).tolist() == heads.tolist()
        ranking = DECODERS[name].k_best(scores, 5, single_root=single_root)
        assert ranking[0][0].tolist() == heads.tolist()
        assert len({tuple(tree.tolist()) for tree, _ in ranking}) == 5


@NAMES
def test_no_words(name):
    assert DECODERS[name].decode([[0]]).tolist() == []
    assert DECODERS[name].decode([[0]], single_root=True).tolist() == []
    for single_root in (False, True):
        found = best_with_siblings(DECODERS[name], np.zeros((1, 1)), np.zeros((1, 1, 1)), single_root=single_root)
        assert found.tolist() == []
    assert [(heads.tolist(), total) for heads, total in DECODERS[name].k_best([[0]], 3)] == [([], 0.0)]


@NAMES
@ROOTS
def test_scores_stay_as_they_are(single_root, name):
    rng = np.random.default_rng(0)
    scores, siblings = arc_matrix(rng, 5, "forbidden"), sibling_cube(rng, 5, "random")
    scores[0, 1:] = scores[1, 2:] = 0
    copies = scores.copy(), siblings.copy()
    scores.flags.writeable = siblings.flags.writeable = False
    DECODERS[name].decode(scores, single_root=single_root)
    best_with_siblings(DECODERS[name], scores, siblings, single_root=single_root)
    DECODERS[name].k_best(scores, 9, single_root=single_root)
    np.testing.assert_array_equal(scores, copies[0])
    np.testing.assert_array_equal(siblings, copies[1])


@NAMES
def test_any_kind_of_array(name):
    scores = np.random.default_rng(0).integers(0, 9, (6, 6))
    expected = DECODERS[name].decode(scores).tolist()
    for same in (
        scores.tolist(),
        scores.astype(np.float32),
        np.asfortranarray(scores),
        np.repeat(scores, 2, 1)[:, ::2],
    ):
        assert DECODERS[name].decode(same).tolist() == expected


@NAMES
def test_what_is_refused(name):
    good, chosen = np.zeros((3, 3)), DECODERS[name]
    for scores in (np.zeros(3), np.zeros((3, 4)), np.zeros((0, 0)), np.zeros((2, 2, 2))):
        with pytest.raises(HeadwayError, match="expected a square matrix"):
            chosen.decode(scores)
    for value in (np.nan, np.inf):
        bad = good.copy()
        bad[2, 1] = value
        with pytest.raises(HeadwayError, match=f"from 2 to 1 is {value}"):
            chosen.decode(bad)
        with pytest.raises(HeadwayError, match=f"from 2 to 1 is {value}"):
            chosen.k_best(bad, 2)
    with pytest.raises(HeadwayError, match="0 trees were asked for"):
        chosen.k_best(good, 0)


def test_an_unknown_name():
    with pytest.raises(HeadwayError, match=f"unknown decoder 'viterbi'; {known(DECODERS)}"):
        DECODERS["viterbi"]
