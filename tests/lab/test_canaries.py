"""Canaries: the same as long as options give the same trees and weights; a result with another one is stale."""

import json

import pytest
from recipe_files import TINY, made

from headway.lab import canaries
from headway.lab.canaries import canary_of, canary_of_search
from headway.lab.experiment import run, status
from headway.lab.recipe import Source
from headway.lab.results import journal_of
from headway.lab.tasks import TrainingTask

TRANSITION = {"features": "malt-14", "passes": 1}
KINDS = {
    "transition": TRANSITION,
    "cw": {**TRANSITION, "learner": "cw"},
    "graph": {"parser": "graph", "features": "mst", "passes": 1, "bits": 14, "label_bits": 14},
    "boosted": {"parser": "boosted", "rounds": 1, "features": "local"},
    "dev": {"features": "malt-14", "dev": True, "patience": 1},
    "pipeline": {"pipeline": True, "without": "segmenter,pretagger,lemmatizer", "tagger.passes": 1, "passes": 1},
    "found": {"features": "found", "passes": 1},
}


def canary(options, **others):
    canaries._trained_canary.cache_clear()
    source = Source(sample={"sentences": 10})
    return canary_of(TrainingTask(treebank="sample", source=source, options=options, on="test", seed=2, **others))


@pytest.mark.parametrize("kind", KINDS)
def test_options_have_a_canary_that_stays(kind):
    assert canary(KINDS[kind]) == canary(KINDS[kind])


def test_other_options_have_another_one():
    found = {canary(KINDS[kind]) for kind in ("transition", "cw", "graph", "boosted")}
    assert len(found) == 4


def test_a_change_of_what_is_computed_changes_it(monkeypatch):
    before = {kind: canary(KINDS[kind]) for kind in ("transition", "cw", "graph")}
    monkeypatch.setattr("headway.learners.online.CW.strength", property(lambda learner: 0.01))
    after = {kind: canary(KINDS[kind]) for kind in before}
    assert [kind for kind in before if before[kind] != after[kind]] == ["cw"]


def test_a_change_of_words_keeps_it(monkeypatch):
    before = canary(TRANSITION)
    monkeypatch.setattr("headway.training.loop.__version__", "99")
    assert canary(TRANSITION) == before


def test_confidences_and_raw_text_are_looked_at():
    dev = KINDS["dev"]
    assert canary(dev, confidence=True) != canary(dev)


def test_a_peer_is_its_version(monkeypatch):
    monkeypatch.setattr("headway.lab.canaries.metadata.version", lambda package: "1")
    assert canary({"parser": "udpipe"}) == "ufal.udpipe 1"


def test_searches_have_one():
    quick = {"passes": 1, "attributes": "POS", "learner": "perceptron"}
    assert canary_of_search(quick) == canary_of_search({**quick, "generations": 16})
    assert canary_of_search(quick) != canary_of_search({**quick, "learner": "cw"})


def test_results_with_another_canary_are_stale_and_measured_again(tmp_path):
    """The journal of one recipe: a result with its own canary, one with another, one of an older journal with none."""
    found = made(TINY, quick=True)
    list(run(found, output=tmp_path, jobs=2))
    path = journal_of(found, tmp_path)
    first, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[1]["canary"] = "another"
    del lines[2]["canary"]
    lines[2] |= {"code": {"kernels": "1234"}, "measured_by": {"kernels": "5678"}}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (first, *lines)), "utf-8")
    assert status(found, tmp_path) == (4, 0, 4, None, None)
    assert status(found, tmp_path, stale=True) == (4, 0, 4, 1, 1)
    assert list(run(found, output=tmp_path, jobs=2)) == []
    assert {event.task.key for event in run(found, output=tmp_path, jobs=2, stale=True)} == {
        lines[1]["key"],
        lines[2]["key"],
    }
    assert status(found, tmp_path, stale=True) == (4, 0, 4, 0, 0)
