"""Options of transition parsers in combinations that nobody chose: each trains, parses to trees and can be saved."""

import random

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import Sample
from headway.data.trees import is_tree
from headway.learners.registry import BATCH, ONLINE
from headway.parsers.transition.registry import SYSTEMS

TRAIN = list(Sample(sentences=40, seed=1, nonprojective=0.3))
UNSEEN = list(Sample(sentences=15, seed=2, nonprojective=0.3))
LABELS = {label for sentence in TRAIN for label in sentence.deprels}
OWN = {
    "perceptron": [{"average": False}, {"settle": 1}],
    "mira": [{"settle": 0}, {"settle": 5}],
    "pa-1": [{"C": 0.001}],
    "cw": [{"phi": 0.1}, {"eta": 0.9}, {"average": True}],
    "cw-variance": [{"initial": 100.0}],
    "arow": [{"r": 100.0}, {"average": True}],
    "linear-svm": [{"joint": True}, {"smallest": 0.01}],
    "logistic": [{"joint": False}],
    "kernel-svm": [
        {"minimum": 50},
        {"split": None},
        {"split": "LEX(STACK0)", "minimum": 1},
        {"degree": 3, "coef0": 1.0},
    ],
}
"""Options of learners, besides none."""


def drawn(seed):
    chance = random.Random(seed)
    system, learner = chance.choice(list(SYSTEMS.own)), chance.choice([*ONLINE.own, *BATCH.own])
    kind, online = SYSTEMS[system], learner in ONLINE.own
    small = (
        ["malt-14"]
        if learner == "kernel-svm"
        else ["malt-14", "malt-14+pairs", "zhang-nivre", "default", "default-stack"]
    )
    found = {
        "system": system,
        "root": chance.choice([None, *kind.roots]),
        "single_root": chance.choice([None, True, False]),
        "learner": learner,
        "options": chance.choice([{}, *OWN.get(learner, [])]),
        "two_step": chance.random() < 0.5,
        "encoding": chance.choice(["none", "head", "path", "head+path"]),
        "mark_cutoff": chance.choice([1, 10]),
        "features": chance.choice(small),
        "cutoff": chance.choice([1, 1, 2, 5]),
        "shuffle": chance.random() < 0.8,
        "seed": seed,
    }
    found |= chance.choice([{}, {"small": True}, {"prune": 0.0}])
    if online:
        found["passes"] = chance.choice([1, 3])
    if online and kind.explores:
        found["explore"] = chance.choice([None, 0.0, 1.0])
    return found


@pytest.mark.parametrize("seed", range(16))
def test_options_go_together(seed, tmp_path):
    chosen = drawn(seed)
    parser = headway.train(TRAIN, **chosen)
    parser.save(tmp_path / "m")
    found = list(headway.load(tmp_path / "m").parse(UNSEEN))
    assert list(map(str, found)) == list(map(str, parser.parse(UNSEEN)))
    for sentence in found:
        assert is_tree(sentence.heads)
        assert set(sentence.deprels) <= LABELS


def test_a_cutoff_that_leaves_nothing_is_refused():
    with pytest.raises(
        HeadwayError,
        match=r"^cutoff = 100000: no feature is seen so often, the most frequent [\d,]+ times; lower the cutoff$",
    ):
        headway.train(TRAIN, cutoff=100_000, passes=1)
