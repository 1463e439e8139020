"""Parts that ask for confidences: their scores, differences in AUC, floors and ceilings."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from recipe_files import made, recipe_text, results_of

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.evaluation.comparison import compare
from headway.evaluation.metrics.confidence import auc_of, influences_on_auc
from headway.lab.claims import verdict
from headway.lab.measuring import measured
from headway.lab.metrics import SHARES, packed, unpacked
from headway.lab.recipe import Source
from headway.lab.sources import file_of
from headway.lab.tasks import expand

PART = """[[configuration]]
name = "mira"
options = {learner = "mira"}
[[part]]
name = "test"
confidence = true
"""
VARIANCES = """
title = "Variances"
treebanks = ["sample"]
[sources.sample]
sample = {sentences = 40}
[training]
features = "malt-14"
passes = 1
learner = "cw"
updatable = true
calibrate = "none"
dev = true
[[configuration]]
name = "margin"
options = {evidence = "margin"}
[[configuration]]
name = "both"
options = {evidence = "both"}
[[part]]
name = "test"
confidence = true
"""


def claim(text):
    return f'[[claim]]\ntext = "c"\nbetter = {{configuration = "cw"}}\n{text}\n'


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A file parsed with confidences, beside its gold trees."""
    folder = tmp_path_factory.mktemp("confidence")
    gold = folder / "gold.conllu"
    headway.write(generate(50, seed=7), gold)
    parser = headway.train(generate(40, seed=1), dev=generate(40, seed=2), passes=1, features="malt-14")
    (folder / "parsed.conllu").write_bytes(b"".join(parser.parse_bytes(gold, confidence=True)))
    return compare(gold, folder / "parsed.conllu", definition="all")


def test_what_sentences_move_gives_the_spread_of_an_auc(compared):
    """Against drawing sentences, and against leaving each out."""
    columns, right = compared.system.columns, compared.system.head_right
    chances = columns.confidences[:, 0].astype(float)
    words = [np.arange(*columns.first[s : s + 2]) for s in range(len(columns.first) - 1)]
    moved, rng = influences_on_auc(compared), np.random.default_rng(1)

    def auc(sentences):
        some = np.concatenate([words[s] for s in sentences])
        return auc_of(chances[some], right[some])

    drawn = [auc(rng.integers(0, len(words), len(words))) for _ in range(400)]
    assert math.sqrt(moved @ moved) / len(moved) == pytest.approx(np.std(drawn), rel=0.2)
    without = [auc([s for s in range(len(words)) if s != left]) for left in range(len(words))]
    assert np.corrcoef(moved, without)[0, 1] < -0.97
    assert moved.mean() == pytest.approx(0, abs=1e-9)
    assert unpacked(packed(moved, SHARES), SHARES) == pytest.approx(moved, abs=0.01)


def test_differences_in_auc_are_tested(tmp_path):
    rng = np.random.default_rng(2)
    moved = {"cw": rng.normal(0, 1, 200), "mira": rng.normal(0, 1, 200)}

    def sure(task):
        who = task.options["learner"]
        return {"confidence": {"AUC": 0.9 if who == "cw" else 0.8}, "influence": packed(moved[who], SHARES)}

    text = recipe_text(PART + claim('metric = "AUC"\nworse = {configuration = "mira"}'))
    found = results_of(text, tmp_path, lambda task, number: [1] * 200, costs=sure)
    told = verdict(found.recipe.claims[0], found)
    error = math.sqrt(((moved["cw"] - moved["mira"]) ** 2).sum()) / 200
    assert told.p == pytest.approx(2 * NormalDist().cdf(-0.1 / error), rel=0.05)
    assert "AUC 0.9000 against 0.8000, a mean difference of +0.1000" in told.shown


@pytest.mark.parametrize(("bounds", "expected"), [("at_most = 0.006", "refuted"), ("at_most = 0.02", "confirmed")])
def test_ceilings(tmp_path, bounds, expected):
    text = recipe_text(PART + claim(f'metric = "ECE − chance"\n{bounds}'))
    sure = {"confidence": {"ECE − chance": 0.01}}
    found = results_of(text, tmp_path, lambda task, number: [1] * 40, costs=lambda task: sure)
    assert verdict(found.recipe.claims[0], found).verdict == expected


def test_variances_change_confidences_and_no_trees(tmp_path, monkeypatch):
    monkeypatch.setattr("headway.lab.sources.SAMPLE_SENTENCES", 50)
    points = {}
    for place, task in expand(made(VARIANCES)):
        folder = tmp_path / place.configuration
        folder.mkdir()
        points[place.configuration] = measured(task, {}, folder)["points"][-1]
    first, second = points["margin"], points["both"]
    assert first["wrong"] == second["wrong"] and first["parsed"] != second["parsed"]
    assert all(
        0.5 < one["confidence"]["AUC"] < 1 and len(unpacked(one["influence"], SHARES)) for one in (first, second)
    )


def test_evidence_that_is_not_there_is_a_sentence():
    with pytest.raises(HeadwayError, match=r"unknown evidence 'votes'; known are: .*margin"):
        made(VARIANCES.replace('evidence = "both"', 'evidence = "votes"'))


def test_a_file_may_be_of_another_treebank(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "test.conllu").touch()
    source = Source(treebank="one", files={"test": "other/test"})
    assert file_of(source, "test", tmp_path) == tmp_path / "other" / "test.conllu"
