"""Choosing options on a development treebank."""

import logging
from dataclasses import replace

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.base.options import kinds
from headway.data.sample import generate
from headway.data.sources import batches_of, sentences_of
from headway.learners.online import CW, PA1
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.training.loop import TrainingLoop
from headway.training.train import train_row
from headway.training.train_stages import Observer
from headway.training.tuning import attempts, tuned, value_of

OPTIONS = {
    "transition": TransitionOptions(features="malt-14", learner="pa-1", passes=1),
    "graph": GraphOptions(bits=14, label_bits=13, passes=1),
    "boosted": BoostedOptions(features="local", label_features="mst", rounds=1),
}
each_family = pytest.mark.parametrize("family", OPTIONS)


@pytest.fixture(scope="module")
def treebank():
    return list(batches_of(generate(30, seed=1)))


@pytest.fixture(scope="module")
def dev():
    return list(batches_of(generate(20, seed=2)))


@each_family
def test_what_is_tried_is_said_where_an_option_is_declared(family):
    options = OPTIONS[family]
    for name, kind in kinds(type(options)).items():
        if kind.tried and name != "boosting":
            found = attempts(options, name)
            assert [getattr(one, name) for one in found] == list(kind.tried)
            assert all(replace(one, **{name: getattr(options, name)}) == options for one in found)


def test_options_of_learners_are_tried_too():
    tried = (0.001, 0.003, 0.01, 0.05)
    for options in (OPTIONS["transition"], OPTIONS["graph"], replace(OPTIONS["graph"], learner=PA1(settle=1))):
        found = attempts(options, "C")
        assert [one.chosen.C for one in found] == [value_of(one, "C") for one in found] == list(tried)
        assert all(replace(one.chosen, C=0.05) == options.chosen for one in found)
    given = replace(OPTIONS["transition"], learner="cw", options={"average": True})
    assert [one.options for one in attempts(given, "phi")] == [{"average": True, "phi": phi} for phi in (0.1, 0.3, 1.0)]
    assert given.options == {"average": True}


@each_family
def test_what_cannot_be_chosen_lists_what_can(family):
    options = OPTIONS[family]
    own = [name for name, kind in kinds(type(options)).items() if kind.tried]
    learners = ["strength"] if family == "boosted" else ["C"]
    known = ", ".join(sorted([*own, *learners]))
    for name in ("speed", "seed", "phi"):
        with pytest.raises(HeadwayError) as refusal:
            attempts(options, name)
        assert str(refusal.value) == f"{name!r} cannot be chosen on dev; known are: {known}"


def test_options_can_be_chosen_whatever_the_learner():
    class Own(CW):
        pass

    assert len(attempts(replace(OPTIONS["transition"], learner=Own()), "cutoff")) == 3
    for learner in ("sklearn:linear_model.LogisticRegression", CW(), "mira", "linear-svm"):
        assert [one.cutoff for one in attempts(replace(OPTIONS["boosted"], learner=learner), "cutoff")] == [1, 2, 3]


@pytest.mark.parametrize(
    ("family", "names"), [("transition", ["C", "cutoff"]), ("graph", ["C", "decoder"]), ("boosted", ["strength"])]
)
def test_the_best_value_on_dev_is_taken_one_option_after_the_other(family, names, treebank, dev, caplog):
    options = expected = OPTIONS[family]
    said = []
    for name in names:
        scores = [
            max(step.dev.main for step in TrainingLoop(one, treebank, dev=dev)) for one in attempts(expected, name)
        ]
        expected = attempts(expected, name)[scores.index(max(scores))]
        said.append(f"{name} = {value_of(expected, name)} is best on dev (LAS {max(scores):.2f}, ud)")
    with caplog.at_level(logging.WARNING, "headway"):
        assert tuned(options, treebank, dev, names, 3) == expected
    assert [message for message in caplog.messages if "is best on dev" in message] == said
    assert tuned(options, treebank, dev, [], 3) is options


def test_training_takes_what_was_chosen(treebank, dev):
    train, judges = (sentences_of(some) for some in (treebank, dev))
    wanted = tuned(OPTIONS["graph"], treebank, dev, ["C", "decoder"], 3)
    for tune in ("C,decoder", ["C", "decoder"]):
        parser = headway.train(train, OPTIONS["graph"], dev=judges, tune=tune)
        assert parser.about["options"] == wanted.identity()
        assert parser.stages[0].shape.decoder == wanted.decoder


def test_dev_is_needed(treebank):
    with pytest.raises(HeadwayError, match="choosing C, decoder needs a development treebank; name one with --dev"):
        headway.train("nowhere", parser="graph", tune="C,decoder")
    with pytest.raises(HeadwayError, match="the best round is found on a development treebank"):
        headway.train("nowhere", parser="boosted", keep="best")


def test_an_interrupted_search_goes_on(treebank, dev, tmp_path, monkeypatch, caplog):
    """Passes by cross-validation, then two options on dev: nothing that was measured is measured again."""
    monkeypatch.setattr("headway.training.tuning.MOST_PASSES", 2)
    trained = []

    class Spy(TrainingLoop):
        def __init__(self, options, data, **how):
            trained.append(options)
            if len(trained) == stop:
                raise KeyboardInterrupt
            super().__init__(options, data, **how)

    for module in ("tuning",):
        monkeypatch.setattr(f"headway.training.{module}.TrainingLoop", Spy)
    sentences, judges = sentences_of(treebank), sentences_of(dev)
    how = {"features": "malt-14", "learner": "pa-1", "explore": 0.0, "passes": "auto", "folds": 2, "tune": "C,cutoff"}

    class Stop(Observer):
        def on_stage(self, stage):
            self.stage = stage
            raise LookupError

    def search(sentences=sentences, **more):
        trained.clear()
        watch = Stop()
        with pytest.raises(LookupError):
            train_row(sentences, dev=judges, output=tmp_path / "m", observer=watch, **how, **more)
        return watch.stage

    stop = 0
    whole = search()
    everything = list(trained)
    whole.files.remove()
    assert len(everything) == 2 + 4 + 3 - 1, "the best C with the cutoff that it had has been measured"
    assert list(tmp_path.iterdir()) == []
    known = 0
    for at in (2, 6, 8):
        stop = at - known
        with pytest.raises(KeyboardInterrupt):
            search()
        assert trained == everything[known:at]
        known = at - 1
    stop = 0
    assert search().loop.options == whole.loop.options
    assert trained == everything[known:]
    assert "m.choices: going on with what an interrupted search has measured" in caplog.text
    search()
    assert trained == []
    search(sentences[:-1])
    assert len(trained) == len(everything)
    stage = search(resume=False)
    assert len(trained) == len(everything)
    stage.files.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_choices_that_is_none_is_refused_and_stays(treebank, dev, tmp_path):
    (tmp_path / "m.choices").write_text("precious")
    how = {"dev": sentences_of(dev), "output": tmp_path / "m", "tune": "cutoff", "features": "malt-14", "passes": 1}
    with pytest.raises(HeadwayError, match=r"m\.choices: this file has to make place for what a search measures"):
        headway.train(sentences_of(treebank), **how)
    with pytest.raises(HeadwayError, match=r"m\.choices"):
        headway.train(sentences_of(treebank), resume=False, **how)
    assert (tmp_path / "m.choices").read_text() == "precious"
