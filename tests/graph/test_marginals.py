"""Arc marginals against sums over all trees."""

import numpy as np
import pytest
from scored_trees import ROOTS, arc_matrix, sibling_total, totals, trees_of

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.kernels.graph.evidence import EVIDENCE, marginals, weigh
from headway.kernels.graph.explaining import scores_of
from headway.parsers.graph import parser as graph_parser

PROJECTIVE = pytest.mark.parametrize("projective", [False, True], ids=["any trees", "projective trees"])


def enumerated(scores, n, projective, single):
    """The share of each arc in the sum of exp(score) over all trees."""
    trees = trees_of(n, projective=projective, single=single)
    chances = np.exp(totals(trees, scores) - totals(trees, scores).max())
    found = np.zeros((n + 1, n + 1))
    for heads, chance in zip(trees, chances / chances.sum(), strict=True):
        found[heads, np.arange(1, n + 1)] += chance
    return found


@PROJECTIVE
@ROOTS
@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("size", [1, 5])
def test_marginals_are_those_of_all_trees(n, single_root, projective, size):
    rng = np.random.default_rng(n)
    for _ in range(10):
        scores = size * arc_matrix(rng, n, "random")
        found = marginals(scores, single_root, projective)
        assert found == pytest.approx(enumerated(scores, n, projective, single_root), abs=1e-9)


@PROJECTIVE
@ROOTS
def test_each_word_has_one_head_in_long_sentences(single_root, projective):
    rng = np.random.default_rng(1)
    scores = 20 * rng.standard_normal((121, 121))
    found = marginals(scores, single_root, projective)
    assert np.isfinite(found).all()
    assert found[:, 1:].sum(axis=0) == pytest.approx(np.ones(120), abs=1e-6)
    assert found[0].sum() == pytest.approx(1, abs=1e-6) if single_root else found[0].sum() > 0.5


def test_arcs_are_weighed_sentence_by_sentence():
    rng = np.random.default_rng(3)
    sizes = [3, 0, 1, 4]
    matrices = [np.nan_to_num(arc_matrix(rng, n, "random")) for n in sizes]
    heads = [np.array([2, 0, 2]), np.empty(0), np.array([0]), np.array([0, 1, 2, 3])]
    offsets = np.cumsum([0, *sizes], dtype=np.int32)
    evidence = np.zeros((8, len(EVIDENCE)), np.float32)
    flat = np.concatenate([matrix.ravel() for matrix in matrices])
    weigh(offsets, flat, np.concatenate(heads).astype(np.int32), 2.0, True, True, evidence)
    expected = enumerated(2 * matrices[0], 3, True, True)
    for word, head in enumerate([2, 0, 2]):
        chance = expected[head, word + 1]
        assert evidence[word, 0] == pytest.approx(np.log(chance / (1 - chance)), abs=1e-4)
    # Word 1 may move to the root or to word 3, which hangs on word 2; word 2 has both below it.
    best = max(matrices[0][0, 1], matrices[0][3, 1])
    assert evidence[0, 1] == pytest.approx(2 * (matrices[0][2, 1] - best), abs=1e-5)
    assert evidence[1, 1] == evidence[3, 1] == np.inf


@pytest.mark.parametrize("decoder", ["eisner", "chu-liu-edmonds"])
def test_rivals_are_trees_in_which_one_word_moves(decoder):
    """With siblings: the difference to the best tree that differs in the head of one word, by definition."""
    how = {"parser": "graph", "decoder": decoder, "order": 2, "passes": 1, "bits": 14, "label_bits": 12}
    stage = headway.train(generate(30), **how).stages[-1]
    [batch] = batches_of([sentence for sentence in generate(40, seed=2) if len(sentence) <= 12][:8])
    _, evidence = stage.trees_with_evidence(batch)
    found, factor = stage.found(batch).heads, graph_parser.SHARP * stage.scale
    graph = graph_parser.graph_of(stage.shape, stage.templates, stage.labels, stage.templates.encode(batch), 12)
    for first, last in zip(batch.sentence_word[:-1], batch.sentence_word[1:], strict=True):
        heads, n = found[first:last], last - first
        arcs, siblings = np.zeros((n + 1,) * 2), np.zeros((n + 1,) * 3)
        scores_of(graph, stage.weights, first, arcs, siblings, np.zeros((0, 1), np.int32))
        best = sibling_total(heads, arcs, siblings)
        for word in range(n):
            moved = [np.where(np.arange(n) == word, head, heads) for head in range(n + 1) if head != heads[word]]
            rivals = [sibling_total(tree, arcs, siblings) for tree in moved if is_tree(tree)]
            expected = factor * (best - max(rivals, default=-np.inf))
            assert evidence.numbers["rival"][first + word] == pytest.approx(expected, rel=1e-4, abs=1e-4)
