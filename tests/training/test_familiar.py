"""Whoever judges a parser by what it has learned from is told so."""

import pytest

import headway
from headway.data.formats.writing import write
from headway.data.sample import generate
from headway.discovery.treebanks import search_treebanks
from headway.training.active_learning import select
from headway.training.stage_costs import stage_costs

SHARED = "most of the development treebank is in the training data, too"
LEARNED = "own.conllu: the model has learned from this treebank"
QUICK = {"passes": 1, "features": "malt-14"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("familiar")
    write(generate(30, seed=1), place / "own.conllu")
    write(generate(30, seed=2), place / "new.conllu")
    return place


@pytest.fixture(scope="module")
def parser(place):
    return headway.train(place / "own.conllu", updatable=True, **QUICK)


USES = {
    "calibrate": lambda parser, path: headway.calibrate(parser, path),
    "stages": lambda parser, path: stage_costs(parser, path),
    "select": lambda parser, path: select(parser, path, 2),
    "continue": lambda parser, path: headway.continue_training(parser, path),
}


@pytest.mark.parametrize("use", USES)
def test_what_a_model_has_learned_from_is_no_test(use, place, parser, caplog):
    USES[use](parser, place / "new.conllu")
    assert "has learned" not in caplog.text
    USES[use](parser, place / "own.conllu")
    assert caplog.text.count(LEARNED) == 1


def test_what_training_has_gone_on_with_counts_and_pipelines_too(place, parser, caplog):
    headway.calibrate(headway.continue_training(parser, place / "new.conllu"), place / "new.conllu")
    assert "new.conllu: the model has learned from this treebank" in caplog.text
    caplog.clear()
    row = headway.train(place / "own.conllu", stages="tagger", jackknife=False, **QUICK)
    stage_costs(row, place / "own.conllu")
    assert LEARNED in caplog.text


def test_dev_that_is_learned_from(place, caplog):
    own, new = list(headway.read(place / "own.conllu")), list(headway.read(place / "new.conllu"))
    bare = list(headway.from_conllu("".join(_bare(sentence) for sentence in own)))
    for dev, known in ((own, True), (own[:5], True), (bare, True), (own + new[:20], True), (new, False)):
        caplog.clear()
        headway.train(own, dev=dev, **QUICK)
        assert (SHARED in caplog.text) is known
    caplog.clear()
    headway.train(own, dev=own[:8] + new, **QUICK)
    assert SHARED not in caplog.text


def _bare(sentence):
    """The sentence without its comments."""
    lines = str(sentence).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#")) + "\n"


def test_cross_validation_and_discovery_tell_it_too(place, caplog):
    own = place / "own.conllu"
    headway.cross_validate(own, folds=2, dev=own, **QUICK)
    assert caplog.text.count(SHARED) == 1
    caplog.clear()
    search_treebanks(own, own, None)
    search_treebanks(own, place / "new.conllu", own)
    assert SHARED in caplog.text and "most of the test treebank is in the training data, too" in caplog.text
    caplog.clear()
    search_treebanks(own, None, place / "new.conllu")
    assert not caplog.text


def test_one_file_against_itself(run, place):
    own = place / "own.conllu"
    assert f"note: {own} is scored against itself" in run("evaluate", own, own).stderr
    assert run("evaluate", own, place / "new.conllu").stderr.count("itself") == 0


def test_labels_and_tags_of_dev_that_cannot_be_learned(place, caplog):
    own, new = list(headway.read(place / "own.conllu")), list(headway.read(place / "new.conllu"))
    headway.train(own, dev=new, **QUICK)
    assert "the training data lack" not in caplog.text
    strange = [one.replace(deprels=["odd", *one.deprels[1:]], upos=["ODD", *one.upos[1:]]) for one in new[:2]]
    headway.train(own, dev=[*strange, *new[2:]], **QUICK)
    told = "the training data lack and nobody can learn from them: label 'odd' (2 words); tag 'ODD' (2 words)"
    assert caplog.text.count(told) == 1
