"""Long spanning trees against slower ways to find them; short ones are in test_decoders."""

import heapq
from itertools import count

import numpy as np
import pytest
from derivations import is_tree
from scored_trees import KINDS, ROOTS, arc_matrix, totals

from headway.base.errors import HeadwayError
from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.graph.decoders import chu_liu_edmonds


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


@ROOTS
def test_kernels_return_the_score(single_root):
    rng = np.random.default_rng(0)
    for kind in KINDS[:3]:
        scores, nodes = arc_matrix(rng, 9, kind), np.zeros(10, np.int32)
        total = TreeDecoder("chu-liu-edmonds").decode(scores, None, single_root, nodes)
        assert total == pytest.approx(totals(nodes[None, 1:], scores)[0])
