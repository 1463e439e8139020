"""Scores of confidences against scikit-learn and their definitions."""

import json

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.evaluation.metrics.confidence import auc_of, scores_of_confidence


def drawn(size=3000, seed=1, digits=2):
    rng = np.random.default_rng(seed)
    chances = rng.beta(5, 1, size).round(digits)
    return chances, rng.random(size) < chances


def test_auc_is_that_of_scikit_learn():
    for digits in (1, 2, 6):
        chances, right = drawn(digits=digits)
        assert auc_of(chances, right) == pytest.approx(roc_auc_score(right, chances))
    assert auc_of(chances, np.ones(len(chances), bool)) is None
    assert auc_of(np.array([0.5]), np.array([False])) is None


def test_calibration_error_by_its_definition():
    chances, right = drawn(1000)
    found = scores_of_confidence("ArcConf", chances, right)
    order = np.argsort(chances, kind="stable")
    assert sum(one.words for one in found.bins) == 1000
    assert {one.words for one in found.bins} <= {66, 67}  # as many in each
    expected = sum(one.words * abs(one.confidence - one.right) for one in found.bins) / 1000
    assert found.error == pytest.approx(expected)
    assert found.surest[20] == pytest.approx(right[order[200:]].mean())


def test_perfect_calibration_is_what_chance_says():
    errors = [scores_of_confidence("ArcConf", *drawn(seed=seed)) for seed in range(20)]
    assert np.mean([one.error for one in errors]) == pytest.approx(np.mean([one.chance for one in errors]), rel=0.1)
    chances, right = drawn()
    overconfident = scores_of_confidence("ArcConf", np.sqrt(chances), right)
    assert overconfident.error > 3 * overconfident.chance


def test_few_words_and_nonsense():
    one = scores_of_confidence("ArcConf", np.array([0.7]), np.array([True]))
    assert (one.error, one.words, one.surest[50]) == (pytest.approx(0.3), 1, 1.0)
    with pytest.raises(HeadwayError, match="from 0 to 1"):
        scores_of_confidence("ArcConf", np.array([1.5]), np.array([True]))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("confidences")
    gold = list(generate(40, seed=3))
    rng = np.random.default_rng(1)
    sure = []
    for sentence in gold:
        wrong = rng.random(len(sentence)) < 0.2
        labels = ["dep" if bad else label for bad, label in zip(wrong, sentence.deprels, strict=True)]
        misc = [f"ArcConf=0.99|LabelConf={0.5 if bad else 0.9}" for bad in wrong]
        sure.append(sentence.replace(deprels=labels, misc=misc))
    headway.write(gold, folder / "gold.conllu")
    headway.write(sure, folder / "sure.conllu")
    return folder


def test_evaluate_prints_confidences_and_draws_them(files, run):
    gold, sure, page = (str(files / name) for name in ("gold.conllu", "sure.conllu", "page.html"))
    printed = run("evaluate", gold, sure, "--html", page)
    assert printed.exit_code == 0
    assert "Confidence" in printed.output and "ArcConf" in printed.output and "by chance" in printed.output
    drawn_page = (files / "page.html").read_text("utf-8")
    assert "on the diagonal" in drawn_page and drawn_page.count("polyline") >= 2
    assert "Confidence" not in run("evaluate", gold, gold).output


def test_confidences_of_labels_are_found_again(files, run):
    told = json.loads(run("evaluate", str(files / "gold.conllu"), str(files / "sure.conllu"), "--json").output)
    arc, label = told["systems"][0]["confidence"]
    assert (arc["name"], arc["right"], arc["auc"]) == ("ArcConf", 1.0, None)
    assert label["auc"] == 1.0 and label["surest"]["50"] == 1.0
    assert arc["error"] == pytest.approx(0.01, abs=1e-6)
