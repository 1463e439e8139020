"""Cross-validation, and output made on text that a stage has not seen."""

import logging
from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of, rebatched, sentences_of
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.training.jackknife import coded, jackknifed, uncut
from headway.training.loop import TrainingLoop
from headway.training.tuning import MOST_PASSES, best_passes

OPTIONS = {
    "transition": TransitionOptions(features="malt-14", learner="perceptron", passes=2),
    "graph": GraphOptions(bits=14, label_bits=13, order=1, passes=2),
    "boosted": BoostedOptions(features="local", label_features="mst", dynamic=False, rounds=1),
}
each_family = pytest.mark.parametrize("family", OPTIONS)
each_with_passes = pytest.mark.parametrize("family", ["transition", "graph"])


@pytest.fixture(scope="module")
def treebank():
    return list(generate(61, seed=1))


@each_with_passes
def test_cross_validation_chooses_the_passes(family, treebank, monkeypatch, caplog):
    assert MOST_PASSES == 15
    monkeypatch.setattr("headway.training.tuning.MOST_PASSES", 3)
    options = replace(OPTIONS[family], passes="auto")
    with caplog.at_level(logging.WARNING, "headway"):
        found = best_passes(options, list(batches_of(treebank)), 2)
    curves = []
    for fold in range(2):
        learned, judges = (list(batches_of(some)) for some in (treebank[1 - fold :: 2], treebank[fold::2]))
        loop = TrainingLoop(replace(options, passes=3), learned, dev=judges, patience=9)
        curves.append([step.dev.main for step in loop])
    means = np.mean(curves, axis=0)
    assert found == int(means.argmax()) + 1
    assert f"cross-validation: passes = {found} is best (LAS {means.max():.2f}, ud)" in caplog.messages
    parser = headway.train(treebank, options, folds=2)
    assert parser.about["passes"] == parser.about["learner"]["passes"] == parser.about["options"]["passes"] == found


@each_with_passes
def test_each_sentence_is_held_out_once(family, treebank, monkeypatch):
    monkeypatch.setattr("headway.training.tuning.MOST_PASSES", 1)
    seen = []

    class Spy(TrainingLoop):
        def __init__(self, options, data, **how):
            seen.append(tuple([str(s) for s in sentences_of(some)] for some in (data, how["dev"])))
            super().__init__(options, data, **how)

    monkeypatch.setattr("headway.training.tuning.TrainingLoop", Spy)
    best_passes(replace(OPTIONS[family], passes="auto"), list(rebatched(treebank, 10)), 4)
    everything = [str(sentence) for sentence in treebank]
    assert [held_out for _, held_out in seen] == [everything[number::4] for number in range(4)]
    for learned, held_out in seen:
        assert sorted(learned + held_out) == sorted(everything)


def test_passes_that_are_to_be_found_need_a_learner_that_makes_some():
    with pytest.raises(HeadwayError, match="logistic sees all examples at once, in no passes; leave passes out"):
        TransitionOptions(learner="logistic", passes="auto")
    with pytest.raises(HeadwayError, match="passes = 'auto' is not a whole number"):
        BoostedOptions(learner="mira", passes="auto")


def test_more_folds_than_sentences_are_refused(treebank):
    few = list(batches_of(treebank[:3]))
    for call in (best_passes, jackknifed):
        with pytest.raises(HeadwayError, match="5 folds need at least as many sentences, and there are 3; use fewer"):
            call(OPTIONS["transition"], few, 5)
    with pytest.raises(HeadwayError, match="folds = 1 is out of range; give a number from 2 on"):
        headway.train("nowhere", passes="auto", folds=1)


@each_family
def test_output_is_that_of_stages_that_have_not_seen_the_sentence(family, treebank):
    options, folds = OPTIONS[family], 3
    data = list(rebatched(treebank, 25))
    layered = jackknifed(options, data, folds)
    assert [len(batch) for batch in layered] == [25, 25, 11]
    assert [batch.text for batch in layered] == [batch.text for batch in data]
    assert all([layer.name for layer in batch.layers] == ["predicted"] for batch in layered)
    assert all(batch.beneath("predicted").render(batch.format) == batch.text for batch in layered)
    found = sentences_of(layered)
    for number in range(folds):
        others = [sentence for at, sentence in enumerate(treebank) if at % folds != number]
        stage = TrainingLoop(uncut(options), list(batches_of(others))).run()
        expected = headway.Parser([stage]).parse(treebank[number::folds])
        assert [str(sentence) for sentence in found[number::folds]] == [str(sentence) for sentence in expected]


@each_family
def test_there_are_more_mistakes_than_on_sentences_that_were_seen(family, treebank):
    options, data = OPTIONS[family], list(batches_of(treebank))
    gold = np.concatenate([batch.heads for batch in data])
    stage = TrainingLoop(options, data).run()
    seen, unseen = (
        np.concatenate([batch.heads for batch in found])
        for found in ([stage.annotate(batch) for batch in data], jackknifed(options, data, 2))
    )
    assert (unseen == gold).mean() < (seen == gold).mean()


def test_what_is_right_stays_what_the_treebank_says_for_every_stage_of_a_row(treebank):
    """A stage sees what the one before it has found; it learns and is judged by the gold trees."""
    dev = list(generate(20, seed=2))
    before = {"graph.bits": 14, "graph.label_bits": 13, "graph.passes": 1}
    parser = headway.train(treebank, dev=dev, stages="graph", folds=2, features="malt-14", passes=1, **before)
    assert [stage.kind for stage in parser.stages] == ["graph parser", "transition parser"]
    scores = headway.evaluate(dev, list(parser.parse(dev)), definition=parser.about["dev"]["definition"])
    assert parser.about["dev"]["LAS"] == pytest.approx(100 * scores["LAS"].f1)


def test_strings_as_numbers_of_names():
    codes = coded(["b", "a", "b", ""])
    assert codes.strings() == ["b", "a", "b", ""] and codes.names == ("", "a", "b")
    assert codes.codes.dtype == np.int32
    assert coded([]).strings() == []
