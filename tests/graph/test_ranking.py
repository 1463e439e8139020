"""The k best trees of sentences: against the enumeration of all trees by arcs, and in their order with siblings."""

from dataclasses import replace

import numpy as np
import pytest
from scored_trees import sibling_total, totals, trees_of

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.kernels.graph import explaining as kernel
from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.graph import ranking

SMALL = {"parser": "graph", "passes": 1, "bits": 14, "label_bits": 12}


@pytest.fixture(scope="module")
def parsers():
    treebank = list(generate(30))
    return {
        (decoder, order, labels): headway.train(treebank, decoder=decoder, order=order, labels=labels, **SMALL)
        for decoder, order, labels in (
            ("eisner", 1, "after"),
            ("chu-liu-edmonds", 1, "joint"),
            ("eisner", 2, "after"),
            ("chu-liu-edmonds", 2, "after"),
        )
    }


def short(most, count=5):
    return [sentence for sentence in generate(200, seed=2) if len(sentence) <= most][:count]


@pytest.mark.parametrize("decoder", ["eisner", "chu-liu-edmonds"])
def test_by_arcs_they_are_the_best_of_all_trees(parsers, decoder):
    stage = parsers[decoder, 1, "after" if decoder == "eisner" else "joint"].stages[-1]
    for sentence in short(6):
        n = len(sentence)
        graph = stage.graph(stage.templates.encode(sentence.batch.alone(sentence.index)), n)
        arcs, joint = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1), np.int32)
        kernel.scores_of(graph, stage.weights, 0, arcs, np.zeros((0, 1, 1)), joint)
        every = np.sort(totals(trees_of(n, projective=decoder == "eisner", single=True), arcs))[::-1] * stage.scale
        found = headway.Parser([stage]).k_best(sentence, 7)
        scores = [float(tree.metadata["parse_score"]) for tree in found]
        assert scores == pytest.approx(every[: len(scores)], abs=1e-3)
        assert len(found) == min(7, len(every))


def test_they_are_sorted_and_all_differ_and_the_first_is_the_parsers(parsers):
    for (decoder, order, _), parser in parsers.items():
        for sentence in short(15):
            found = parser.k_best(sentence, 5)
            best = parser.parse(sentence)
            scores = [float(tree.metadata["parse_score"]) for tree in found]
            assert scores == sorted(scores, reverse=True)
            if decoder == "eisner" and (order == 2 or scores[0] != scores[1]):
                assert found[0].heads.tolist() == best.heads.tolist() and found[0].deprels == best.deprels
            assert [tree.metadata["parse_rank"] for tree in found] == [str(n + 1) for n in range(len(found))]
            assert all(is_tree(tree.heads) and tree.forms == sentence.forms for tree in found)
            if parser.stages[-1].encoding is None:
                assert len({tuple(tree.heads.tolist()) for tree in found}) == len(found)


def test_scores_with_siblings_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    for n in range(1, 6):
        arcs, siblings = rng.normal(size=(n + 1,) * 2), rng.normal(size=(n + 1,) * 3)
        for heads in trees_of(n)[:40]:
            assert ranking.total_of(heads, arcs, siblings) == pytest.approx(sibling_total(heads, arcs, siblings))


@pytest.mark.parametrize("single", [True, False])
def test_with_siblings_trees_of_any_kind_are_sorted_by_the_scores_that_they_have(parsers, single):
    """Where parsing finds a good tree only, a better one comes before it."""
    stage = parsers["chu-liu-edmonds", 2, "after"].stages[-1]
    shape = replace(stage.shape, single_root=single)
    overtaken = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = 2 + seed % 4
        arcs, siblings = rng.normal(size=(n + 1,) * 2), 4 * rng.normal(size=(n + 1,) * 3)
        nodes = np.zeros(n + 1, np.int32)
        TreeDecoder("chu-liu-edmonds").decode(arcs, siblings, single, nodes)
        found = ranking.trees_by_score(replace(stage, shape=shape), arcs, siblings, nodes[1:], 6)
        scores = [score for _, score in found]
        assert scores == sorted(scores, reverse=True)
        assert scores == pytest.approx([sibling_total(heads, arcs, siblings) for heads, _ in found])
        every = [sibling_total(heads, arcs, siblings) for heads in trees_of(n, single=single)]
        assert scores[0] <= max(every) + 1e-9
        assert len({tuple(heads.tolist()) for heads, _ in found}) == len(found) == min(6, len(every))
        overtaken += found[0][0].tolist() != nodes[1:].tolist()
    assert overtaken


def test_files_have_ranks_and_scores(parsers, tmp_path, run):
    headway.write(short(12), tmp_path / "text.conllu")
    parsers["eisner", 2, "after"].save(tmp_path / "model")
    done = run("parse", "--k-best", "3", str(tmp_path / "model"), str(tmp_path / "text.conllu"))
    assert done.exit_code == 0
    found = headway.from_conllu(done.output)
    assert [tree.metadata["parse_rank"] for tree in found[:4]] == ["1", "2", "3", "1"]
    assert all("parse_score" in tree.metadata for tree in found)
    [batch] = batches_of(short(12))
    assert len(parsers["eisner", 2, "after"].stages[-1].k_best(batch, 3)) == len(found)


def test_others_say_that_they_have_none(tmp_path):
    parser = headway.train(generate(10), passes=1, features="malt-14")
    with pytest.raises(HeadwayError, match="a transition parser finds the best tree only; k-best needs a graph parser"):
        parser.k_best(short(8)[0], 3)
    with pytest.raises(HeadwayError, match="do not go together"):
        next(parser.parse(short(8), k_best=3, confidence=True))
