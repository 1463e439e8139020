"""Scores and differences as Python objects: names, numbers, what they print."""

from dataclasses import replace

import pytest

import headway
from headway import HeadwayError
from headway.data.sample import generate


@pytest.fixture(scope="module")
def gold():
    return list(generate(30, seed=3))


@pytest.fixture(scope="module")
def chain(gold):
    return [sentence.replace(heads=range(len(sentence))) for sentence in gold]


@pytest.mark.parametrize("definition", ["ud", "conllx", "all"])
def test_a_score_is_the_number_that_it_prints(gold, chain, definition):
    scores = headway.evaluate(gold, chain, definition=definition)
    assert 0 < float(scores["UAS"]) < 100
    for score in scores.metrics.values():
        assert f"{float(score):.2f}" == str(score)
        assert float(score) == pytest.approx(100 * score.f1)


def test_scores_are_gone_through_as_a_dictionary_is(gold, chain):
    scores = headway.evaluate(gold, chain)
    assert list(scores) == list(scores.keys())
    assert len(scores) == len(list(scores))
    assert "LAS" in scores
    assert "XYZ" not in scores
    assert dict(scores)["LAS"] == dict(scores.items())["LAS"] == scores["LAS"]
    with pytest.raises(HeadwayError, match="no score 'XYZ' with the definition 'ud'; known are: AllTags"):
        scores["XYZ"]


def test_equal_results_are_equal(gold, chain):
    assert headway.evaluate(gold, chain) == headway.evaluate(gold, chain)
    assert headway.evaluate(gold, chain) != headway.evaluate(gold, gold)


def test_two_systems_are_compared_by_their_scores(gold, chain):
    first, second = headway.evaluate(gold, chain), headway.evaluate(gold, gold)
    found = headway.significance(first, second, "UAS", trials=200)
    assert found == headway.significance(first.comparison, second.comparison, "UAS", trials=200)
    assert found.difference == pytest.approx(float(second["UAS"]) - float(first["UAS"]))
    assert found.p < 0.01


def test_what_cannot_be_compared_is_refused(gold, chain):
    scores = headway.evaluate(gold, chain)
    with pytest.raises(HeadwayError, match=r"expected scores, got a list; give headway.evaluate"):
        headway.significance(gold, chain)
    with pytest.raises(HeadwayError, match=r"no score 'POS' with the definition 'ud'; known are: .*UPOS, .*LAS:LABEL"):
        headway.significance(scores, scores, "POS")


def test_what_results_print_is_short(gold, chain):
    scores = headway.evaluate(gold, chain)
    difference = headway.significance(scores, headway.evaluate(gold, gold), trials=100)
    assert repr(scores).startswith(f"<SystemScores: LAS {scores['LAS']}, UAS {scores['UAS']}, 15 more (ud)")
    assert repr(difference).startswith("<Significance: LAS ") and " (ud): " in repr(difference)
    rarer = replace(difference, p=1e-5)
    assert str(rarer).endswith(", p = 1e-05 (approximate randomisation)")
    for thing in (scores, scores["LAS"], difference, scores.comparison, scores.comparison.gold.columns):
        assert len(repr(thing)) < 300, repr(thing)
