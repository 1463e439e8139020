"""Spanning trees against the enumeration of all trees, and of all changes of a tree."""

import heapq
from itertools import count

import numpy as np
import pytest
from derivations import is_tree
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
from headway.graph import chu_liu_edmonds, eisner
from headway.kernels import spanning as kernel

ROOTS = pytest.mark.parametrize("single_root", [False, True], ids=["several roots", "single root"])
WORDS = pytest.mark.parametrize("n", range(1, 7))


@ROOTS
@WORDS
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, single=single_root)
    for _ in range(30):
        scores = arc_matrix(rng, n, kind)
        best = totals(trees, scores).max()
        if best == -np.inf:
            with pytest.raises(HeadwayError, match="tree holds something forbidden"):
                chu_liu_edmonds.decode(scores, single_root=single_root)
            assert chu_liu_edmonds.k_best(scores, 3, single_root=single_root) == []
            continue
        heads = chu_liu_edmonds.decode(scores, single_root=single_root)
        assert is_tree(heads.tolist())
        assert not single_root or (heads == 0).sum() == 1
        assert totals(heads[None], scores)[0] == pytest.approx(best)


@ROOTS
@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_all_trees_in_order(kind, n, single_root):
    rng = np.random.default_rng(n)
    trees = trees_of(n, single=single_root)
    for _ in range(12 if n < 5 else 3):
        scores = arc_matrix(rng, n, kind)
        ranking = chu_liu_edmonds.k_best(scores, len(trees) + 1, single_root=single_root)
        assert len(ranking) == (totals(trees, scores) > -np.inf).sum()
        check_ranking(ranking, trees, scores)


@ROOTS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 2, 7, 500])
def test_some_of_all_trees_of_six_words(k, kind, single_root):
    trees = trees_of(6, single=single_root)
    scores = arc_matrix(np.random.default_rng(k), 6, kind)
    ranking = chu_liu_edmonds.k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, (totals(trees, scores) > -np.inf).sum())
    check_ranking(ranking, trees, scores)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: arrays(np.int16, (n + 1, n + 1))), st.integers(1, 130), st.booleans())
def test_whatever_the_scores(scores, k, single_root):
    scores = np.where(scores < -30000, -np.inf, scores / 7)
    trees = trees_of(len(scores) - 1, single=single_root)
    ranking = chu_liu_edmonds.k_best(scores, k, single_root=single_root)
    assert len(ranking) == min(k, (totals(trees, scores) > -np.inf).sum())
    check_ranking(ranking, trees, scores)
    if ranking:
        heads = chu_liu_edmonds.decode(scores, single_root=single_root)
        assert totals(heads[None], scores)[0] == pytest.approx(ranking[0][1])


def textbook(scores):
    """The best tree by contracting one cycle at a time and solving what is left; {child: head}."""
    nodes = range(len(scores))
    best = {word: max(set(nodes) - {word}, key=lambda head: scores[head, word]) for word in nodes[1:]}
    cycle = find_cycle(best)
    if not cycle:
        return best
    outside = [node for node in range(len(scores)) if node not in cycle]
    new = len(outside)
    smaller = np.full((new + 1, new + 1), -np.inf)
    smaller[:new, :new] = scores[np.ix_(outside, outside)]
    enters, leaves = {}, {}
    for place, node in enumerate(outside):
        enters[place] = max(cycle, key=lambda word: scores[node, word] - scores[best[word], word])
        leaves[place] = max(cycle, key=lambda word: scores[word, node])
        smaller[place, new] = scores[node, enters[place]] - scores[best[enters[place]], enters[place]]
        smaller[new, place] = scores[leaves[place], node]
    heads = {word: best[word] for word in cycle}
    for child, head in textbook(smaller).items():
        if child == new:
            heads[enters[head]] = outside[head]
        else:
            heads[outside[child]] = leaves[child] if head == new else outside[head]
    return heads


def find_cycle(heads):
    for word in heads:
        path = []
        while word and word not in path:
            path.append(word)
            word = heads[word]
        if word:
            return path[path.index(word) :]
    return []


def textbook_total(scores, *, single_root):
    """The score of the best tree; with a single root the best over all choices of it."""
    if not single_root:
        return sum(scores[head, child] for child, head in textbook(scores).items())
    below = []
    for root in range(1, len(scores)):
        order = [root, *(word for word in range(1, len(scores)) if word != root)]
        below.append(scores[0, root] + textbook_total(scores[np.ix_(order, order)], single_root=False))
    return max(below)


@ROOTS
@pytest.mark.parametrize("n", [7, 12, 25])
def test_longer_sentences_against_the_textbook(n, single_root):
    rng = np.random.default_rng(n)
    for _ in range(5 if single_root else 40):
        scores = rng.standard_normal((n + 1, n + 1))
        heads = chu_liu_edmonds.decode(scores, single_root=single_root)
        assert is_tree(heads.tolist())
        assert not single_root or (heads == 0).sum() == 1
        assert totals(heads[None], scores)[0] == pytest.approx(textbook_total(scores, single_root=single_root))


def lawler(scores, k, *, single_root):
    """Scores of the k best trees by n smaller problems for each tree found."""

    def solve(scores):
        try:
            heads = chu_liu_edmonds.decode(scores, single_root=single_root)
        except HeadwayError:
            return
        heapq.heappush(queue, (-totals(heads[None], scores)[0], next(counter), heads, scores))

    counter = count()
    queue, found = [], []
    solve(scores)
    while queue and len(found) < k:
        total, _, heads, left = heapq.heappop(queue)
        found.append(-total)
        left = left.copy()
        for child, head in enumerate(heads, 1):
            without = left.copy()
            without[head, child] = -np.inf
            solve(without)
            left[np.arange(len(left)) != head, child] = -np.inf
    return found


@ROOTS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [8, 15])
def test_the_order_of_longer_trees(n, kind, single_root):
    """Many cycles in each other."""
    scores = arc_matrix(np.random.default_rng(n), n, kind)
    ranking = chu_liu_edmonds.k_best(scores, 60, single_root=single_root)
    np.testing.assert_allclose([total for _, total in ranking], lawler(scores, 60, single_root=single_root), atol=1e-12)
    assert len({tuple(heads.tolist()) for heads, _ in ranking}) == len(ranking)
    assert all(is_tree(heads.tolist()) for heads, _ in ranking)


@pytest.mark.parametrize("shape", ["right", "left", "inwards"])
def test_five_hundred_words(shape):
    n = 500
    heads = chain({"left": range(n, 0, -1), "inwards": inwards(n)}.get(shape, range(1, n + 1)))
    scores = planted(np.random.default_rng(0), heads)
    for single_root in (False, True):
        assert chu_liu_edmonds.decode(scores, single_root=single_root).tolist() == heads.tolist()
        ranking = chu_liu_edmonds.k_best(scores, 3, single_root=single_root)
        assert ranking[0][0].tolist() == heads.tolist()
        assert len({tuple(tree.tolist()) for tree, _ in ranking}) == 3


def test_five_hundred_words_in_one_cycle_after_another():
    """Each word is best reached from the next one, which is best reached from it: as many contractions as can be."""
    n = 500
    scores = np.full((n + 1, n + 1), -np.inf)
    for word in range(1, n):
        scores[word + 1, word] = -word
        scores[word, word + 1] = -word
    scores[0, n] = -10.0 * n
    expected = [*range(2, n + 1), 0]
    for single_root in (False, True):
        assert chu_liu_edmonds.decode(scores, single_root=single_root).tolist() == expected
        assert len(chu_liu_edmonds.k_best(scores, 3, single_root=single_root)) == 1


def neighbours(heads, *, single_root):
    """All trees that differ in one head; with a single root from words only."""
    for child in range(1, len(heads) + 1):
        for head in range(1 if single_root else 0, len(heads) + 1):
            changed = [*heads[: child - 1], head, *heads[child:]]
            if head != child and is_tree(changed):
                yield changed


@ROOTS
@WORDS
@pytest.mark.parametrize("kind", KINDS)
def test_rearranged_until_no_change_helps(kind, n, single_root):
    rng = np.random.default_rng(n)
    for _ in range(5):
        scores, siblings = arc_matrix(rng, n, kind), sibling_cube(rng, n, kind)
        try:
            heads = eisner.decode_siblings(scores, siblings, single_root=single_root).tolist()
        except HeadwayError:
            with pytest.raises(HeadwayError):
                chu_liu_edmonds.decode_siblings(scores, siblings, single_root=single_root)
            continue
        found = chu_liu_edmonds.rearrange(heads, scores, siblings, single_root=single_root).tolist()
        assert found == chu_liu_edmonds.decode_siblings(scores, siblings, single_root=single_root).tolist()
        total = sibling_total(found, scores, siblings)
        assert is_tree(found)
        assert not single_root or found.count(0) == 1
        around = [sibling_total(tree, scores, siblings) for tree in neighbours(found, single_root=single_root)]
        assert total >= max(around, default=total) - 1e-9
        greedy = climb(heads, scores, siblings, single_root=single_root)
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
    assert eisner.decode_siblings(scores, siblings).tolist() == [2, 0, 2]
    assert chu_liu_edmonds.decode_siblings(scores, siblings).tolist() == [2, 0, 1]
    siblings[1, 3, 1] = -4
    assert chu_liu_edmonds.decode_siblings(scores, siblings).tolist() == [2, 0, 2]


def test_rearranging_a_long_tree():
    n = 120
    rng = np.random.default_rng(0)
    heads = chain([*range(2, n + 1, 2), *range(1, n + 1, 2)])
    scores, siblings = planted(rng, heads), np.zeros((n + 1, n + 1, n + 1))
    start = eisner.decode(scores)
    found = chu_liu_edmonds.rearrange(start, scores, siblings)
    assert (found != start).sum() > n / 4
    assert totals(found[None], scores)[0] > totals(start[None], scores)[0]


def test_no_words():
    assert chu_liu_edmonds.decode([[0]]).tolist() == []
    assert chu_liu_edmonds.decode([[0]], single_root=True).tolist() == []
    assert chu_liu_edmonds.decode_siblings([[0]], [[[0]]], single_root=True).tolist() == []
    assert [(heads.tolist(), total) for heads, total in chu_liu_edmonds.k_best([[0]], 3)] == [([], 0.0)]


@ROOTS
def test_kernels_return_the_score(single_root):
    rng = np.random.default_rng(0)
    for kind in KINDS[:3]:
        scores, siblings = arc_matrix(rng, 9, kind), sibling_cube(rng, 9, kind)
        nodes = np.zeros(10, np.int32)
        total = kernel.decode(scores, single_root, nodes)
        assert total == pytest.approx(totals(nodes[None, 1:], scores)[0])
        total = kernel.rearrange(scores, siblings, single_root, nodes)
        assert total == pytest.approx(sibling_total(nodes[1:], scores, siblings))


def test_scores_stay_as_they_are():
    rng = np.random.default_rng(0)
    scores, siblings = arc_matrix(rng, 5, "forbidden"), sibling_cube(rng, 5, "random")
    scores[0, 1:] = 0
    heads = np.zeros(5, np.int32)
    copies = scores.copy(), siblings.copy()
    scores.flags.writeable = siblings.flags.writeable = heads.flags.writeable = False
    chu_liu_edmonds.decode(scores, single_root=True)
    chu_liu_edmonds.rearrange(heads, scores, siblings)
    chu_liu_edmonds.k_best(scores, 9)
    np.testing.assert_array_equal(scores, copies[0])
    np.testing.assert_array_equal(siblings, copies[1])
    assert not heads.any()


def test_what_is_refused():
    scores, siblings = np.zeros((3, 3)), np.zeros((3, 3, 3))
    with pytest.raises(HeadwayError, match="no square matrix"):
        chu_liu_edmonds.decode(np.zeros((3, 4)))
    with pytest.raises(HeadwayError, match="0 trees were asked for"):
        chu_liu_edmonds.k_best(scores, 0)
    with pytest.raises(HeadwayError, match="no tree"):
        chu_liu_edmonds.rearrange([2, 1], scores, siblings)
    with pytest.raises(HeadwayError, match="3 heads do not fit scores for 2 words"):
        chu_liu_edmonds.rearrange([0, 1, 1], scores, siblings)
    with pytest.raises(HeadwayError, match="several roots"):
        chu_liu_edmonds.rearrange([0, 0], scores, siblings, single_root=True)
    scores[0, 1:] = -np.inf
    with pytest.raises(HeadwayError, match="score -inf; begin with another tree"):
        chu_liu_edmonds.rearrange([0, 0], scores, siblings)
