"""Scores and marginals as arrays: against sums over all trees, the parser's own decoders, and explanations."""

import pickle

import numpy as np
import pytest
from scored_trees import sibling_total, totals, trees_of

import headway
from headway import HeadwayError
from headway.data.sample import generate
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT
from headway.parsers.boosted.linker import SHARP as SHARP_LINKS
from headway.parsers.graph.decoders import chu_liu_edmonds, eisner
from headway.parsers.graph.scoring import SHARP

GRAPH = {"parser": "graph", "decoder": "eisner", "passes": 1, "bits": 14, "label_bits": 12, "features": "mst"}
ORDER_2 = {**GRAPH, "features": "mst-siblings", "order": 2}
BOOSTED = {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 1}
HOW = {
    "eisner": {**GRAPH, "order": 1},
    "spanning": {**GRAPH, "order": 1, "decoder": "chu-liu-edmonds", "labels": "joint"},
    "several roots": {**GRAPH, "order": 1, "single_root": False},
    "siblings": ORDER_2,
    "static": {**BOOSTED, "dynamic": False, "partitioned": False},
    "dynamic": BOOSTED,
    "votes": {**BOOSTED, "rounds": 2, "boosting": "adaboost-m1", "keep": "vote"},
    "steps": {"features": "malt-14", "passes": 1},
    "two steps": {"features": "malt-14", "passes": 1, "two_step": True},
}
SHORT = [sentence for sentence in generate(300, seed=2) if len(sentence) <= 6][:4]


@pytest.fixture(scope="module")
def parsers():
    treebank = list(generate(30, nonprojective=0.2))
    return {name: headway.train(treebank, **how) for name, how in HOW.items()}


def single_root(parser):
    return parser.stages[-1].single_root


def enumerated(scores, projective, single):
    """The share of each arc in the sum of exp(score) over all trees."""
    n = len(scores) - 1
    trees = trees_of(n, projective=projective, single=single)
    every = totals(trees, scores)
    chances = np.exp(every - every.max())
    found = np.zeros((n + 1, n + 1))
    for heads, chance in zip(trees, chances / chances.sum(), strict=True):
        found[heads, np.arange(1, n + 1)] += chance
    return found


@pytest.mark.parametrize("name", ["eisner", "spanning", "several roots", "static", "votes"])
def test_decoding_the_arcs_gives_the_parsers_tree(parsers, name):
    decoder = chu_liu_edmonds if name == "spanning" else eisner
    for sentence in SHORT:
        found = parsers[name].scores(sentence)
        heads = decoder.decode(found.arcs, single_root=single_root(parsers[name]))
        words = np.arange(1, len(sentence) + 1)
        best = found.arcs[found.heads, words].sum()
        assert found.arcs[heads, words].sum() == pytest.approx(best)
        every = trees_of(len(words), projective=name != "spanning", single=single_root(parsers[name]))
        assert best == pytest.approx(totals(every, found.arcs).max())
        parsed = parsers[name].parse(sentence)
        if not any("|" in found.names[label] for label in found.labels[1:].argmax(axis=1)):
            assert parsed.heads.tolist() == found.heads.tolist()
            if name != "spanning":
                assert [found.names[label] for label in found.labels[1:].argmax(axis=1)] == parsed.deprels


def test_with_siblings_the_parsers_tree_is_the_best_of_all(parsers):
    for sentence in SHORT:
        found = parsers["siblings"].scores(sentence)
        every = trees_of(len(sentence), projective=True, single=single_root(parsers["siblings"])).tolist()
        best = max(sibling_total(heads, found.arcs, found.siblings) for heads in every)
        assert sibling_total(found.heads.tolist(), found.arcs, found.siblings) == pytest.approx(best)
        assert np.isneginf(found.siblings[1, 2, 3]) and np.isneginf(found.arcs[:, 0]).all()
        assert np.isneginf(found.arcs.diagonal()).all() and np.isfinite(found.siblings[0, 2, :2]).all()


@pytest.mark.parametrize("name", ["eisner", "spanning", "several roots"])
def test_marginals_are_those_of_all_trees(parsers, name):
    for sentence in SHORT:
        scores = parsers[name].scores(sentence).arcs
        expected = enumerated(SHARP * scores, name != "spanning", single_root(parsers[name]))
        assert parsers[name].marginals(sentence) == pytest.approx(expected, abs=1e-6)


def test_marginals_with_siblings_are_those_beside_the_tree(parsers):
    for sentence in SHORT:
        found, n = parsers["siblings"].scores(sentence), len(sentence)
        heads, beside = found.heads.tolist(), np.full((n + 1, n + 1), -np.inf)
        for word in range(1, n + 1):
            for head in range(n + 1):
                if head != word:
                    moved = [head if at == word else old for at, old in enumerate(heads, 1)]
                    beside[head, word] = sibling_total(moved, found.arcs, found.siblings)
        expected = enumerated(
            SHARP * np.where(np.isneginf(beside), -1e6, beside), True, single_root(parsers["siblings"])
        )
        assert parsers["siblings"].marginals(sentence) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["static", "dynamic"])
def test_links_have_the_scores_of_explanations(parsers, name):
    for sentence in SHORT:
        arcs = parsers[name].scores(sentence).arcs
        chance = np.exp(arcs)
        assert (chance + chance.T <= 1).all()
        explained = parsers[name].explain(sentence)
        for word in range(1, len(sentence) + 1):
            head = int(explained.sentence.heads[word - 1])
            assert explained.of(word)[0].score == pytest.approx(arcs[head, word], abs=1e-6)


def test_marginals_of_links_are_those_of_their_odds_against_none(parsers):
    linker = parsers["static"].stages[-1].linker
    for sentence in SHORT:
        batch, width = sentence.batch.alone(sentence.index), len(sentence) + 1
        logits = linker.logits(linker.templates.encode(batch), batch.sentence_word).static.reshape(width, width, 3)
        upper = np.triu(np.ones((width, width), bool), 1)
        odds = np.where(upper, logits[..., RIGHT] - logits[..., NONE], (logits[..., LEFT] - logits[..., NONE]).T)
        expected = enumerated(SHARP_LINKS * odds, True, linker.shape.single_root)
        assert parsers["static"].marginals(sentence) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["steps", "two steps"])
def test_steps_are_those_of_explanations(parsers, name):
    for sentence in SHORT:
        found, decisions = parsers[name].scores(sentence), parsers[name].explain(sentence).decisions
        assert len(found.scores) == len(decisions)
        for row, taken, margin, decision in zip(found.scores, found.chosen, found.margins, decisions, strict=True):
            assert decision.what in (found.names[taken], f"label {found.names[taken].partition(' ')[2]}")
            assert row[taken] == row.max() == pytest.approx(decision.score)
            others = np.delete(row, taken)
            rival = others.max(initial=-np.inf)
            assert margin == (np.inf if decision.margin is None else pytest.approx(row[taken] - rival))
            assert np.isneginf(rival) == (decision.rival_score is None)
        last = {int(word): at for at, word in enumerate(found.words) if word}
        assert set(last) <= set(range(1, len(sentence) + 1))


@pytest.mark.parametrize("name", HOW)
def test_scores_are_pickled_whole(parsers, name):
    found = parsers[name].scores(SHORT[0])
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is type(found) and again._fields == found._fields
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_has_no_scores_says_so(parsers):
    with pytest.raises(HeadwayError, match="transition parser: no stage of the model knows how probable arcs are"):
        parsers["steps"].marginals(SHORT[0])
    with pytest.raises(HeadwayError, match="expected a Sentence, got a list; score one sentence at a time"):
        parsers["steps"].scores(SHORT)
    long = headway.Sentence(["word"] * 60, upos=["NOUN"] * 60, xpos=["NN"] * 60)
    with pytest.raises(HeadwayError, match="cannot be explained, scored, constrained or corrected as one"):
        parsers["eisner"].with_longest(50).scores(long)
