"""Training that goes on from a model, against training in one piece."""

import pickle

import numpy as np
import pytest

import headway
from headway import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.parsers.boosted.local import learn, local_learner
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.training import PairData
from headway.text.segmenter.options import SegmenterOptions
from headway.text.sequence.deciding import Dictionary
from headway.text.tagger.options import TaggerOptions

LEARNERS = {"mira": {}, "cw": {"learner": "cw"}, "arow": {"learner": "arow"}, "perceptron": {"learner": "perceptron"}}
FORMS = {"one step": {}, "two steps": {"two_step": True}, "swap": {"system": "swap"}}


def halves():
    """Sentences of which both halves have the same labels and transitions, and so the same classes."""
    sentences = list(generate(40, seed=4))
    return [*sentences, *sentences[:20]], list(reversed(sentences))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("form", FORMS)
def test_two_pieces_teach_what_one_piece_teaches(learner, form):
    how = {
        "passes": 1,
        "shuffle": False,
        "features": "malt-14",
        "updatable": True,
        "mark_cutoff": 1,
        **LEARNERS[learner],
        **FORMS[form],
    }
    first, second = halves()
    whole = headway.train([*first, *second], **how).stages[-1]
    begun = headway.train(first, **how)
    pieces = headway.continue_training(begun, second, shuffle=False).stages[-1]
    assert pieces.classes.transitions == whole.classes.transitions
    for one, other in zip(*(stage.weights.arrays().values() for stage in (pieces, whole)), strict=True):
        assert one.tobytes() == other.tobytes()
    for name, array in whole.state.arrays.items():
        assert pieces.state.arrays[name].tobytes() == array.tobytes()
    assert pieces.state.header == {**whole.state.header, "passes": 2}


GRAPHS = {
    "mira": {},
    "cw": {"learner": "cw"},
    "perceptron": {"learner": "perceptron"},
    "siblings": {"features": "mst-siblings"},
    "joint labels, square root": {"labels": "joint", "counts_labels": True, "loss": "sqrt"},
    "any trees": {"decoder": "chu-liu-edmonds", "k": 3},
}
SMALL = {"parser": "graph", "passes": 1, "features": "mst", "bits": 14, "label_bits": 12, "updatable": True}


@pytest.mark.parametrize("form", GRAPHS)
def test_a_graph_parser_learns_in_two_pieces_what_it_learns_in_one(form):
    how = {**SMALL, "shuffle": False, "mark_cutoff": 1, **GRAPHS[form]}
    first, second = halves()
    whole = headway.train([*first, *second], **how).stages[-1]
    pieces = headway.continue_training(headway.train(first, **how), second, shuffle=False).stages[-1]
    assert pieces.labels == whole.labels
    assert pieces.scale == whole.scale
    assert pieces.weights.tobytes() == whole.weights.tobytes()
    for name, array in whole.state.arrays.items():
        assert pieces.state.arrays[name].tobytes() == array.tobytes()
    assert pieces.state.header == {**whole.state.header, "passes": 2}


def test_a_graph_parser_admits_labels_where_there_is_room():
    begun = headway.train(generate(40, seed=4), **SMALL)
    room = 2 ** begun.stages[-1].width - len(begun.stages[-1].labels)
    assert room > 0

    def renamed(count):
        return [
            one.replace(deprels=[f"new{at % count}" if at < 3 * count else d for at, d in enumerate(one.deprels)])
            for one in generate(40, seed=5)
        ]

    found = headway.continue_training(begun, renamed(1), passes=3)
    assert "new0" in {label for sentence in found.parse(renamed(1)) for label in sentence.deprels}
    with pytest.raises(HeadwayError, match="no room for the new label"):
        many = [one.replace(deprels=[f"n{at}" for at in range(len(one))]) for one in generate(40, seed=5)]
        headway.continue_training(headway.train(generate(5, seed=4), **SMALL), many)


SAVED = {"transition": {"passes": 1, "features": "malt-14", "updatable": True}, "graph": SMALL}


@pytest.mark.parametrize("family", SAVED)
def test_a_saved_state_goes_on_as_one_in_memory(tmp_path, run, family):
    first, second = halves()
    how = SAVED[family]
    headway.train(first, **how).save(tmp_path / "first.headway")
    headway.write(second, tmp_path / "more.conllu")
    done = run(
        "train", tmp_path / "more.conllu", "--continue", tmp_path / "first.headway", "-o", tmp_path / "on.headway"
    )
    assert done.exit_code == 0, done.stderr
    assert "100 sentences in all" in done.stderr
    expected = headway.continue_training(headway.train(first, **how), second)
    expected.save(tmp_path / "memory.headway")
    assert (tmp_path / "on.headway").read_bytes() == (tmp_path / "memory.headway").read_bytes()
    again = headway.continue_training(headway.load(tmp_path / "on.headway"), second)
    assert again.about["passes"] == 3
    plain = headway.train(first, **{**how, "updatable": False})
    plain.save(tmp_path / "plain.headway")
    assert (tmp_path / "plain.headway").stat().st_size < (tmp_path / "first.headway").stat().st_size


def test_new_labels_are_learned():
    begun = headway.train(generate(40, seed=4), passes=1, features="malt-14", updatable=True)
    more = [one.replace(deprels=["new" if d == "nsubj" else d for d in one.deprels]) for one in generate(40, seed=5)]
    found = headway.continue_training(begun, more, passes=3)
    labels = {label for sentence in found.parse(more) for label in sentence.deprels}
    assert "new" in labels
    right = [
        one == other
        for gold, parsed in zip(more, found.parse(more), strict=True)
        for one, other in zip(gold.deprels, parsed.deprels, strict=True)
    ]
    assert np.mean(right) > 0.8


def weights_of(model):
    keys = np.repeat(model.keys, np.diff(model.start)).tolist()
    return dict(zip(zip(keys, model.classes.tolist(), strict=True), model.weights.tolist(), strict=True))


def test_a_boosted_parser_takes_the_mean_of_old_and_new_weights():
    """Against the model of the new trees alone, learned from the weights of the old one, and a dictionary."""
    first, second = list(generate(30, seed=4)), list(generate(15, seed=5))
    how = {"rounds": 1, "dynamic": False, "mark_cutoff": 1}
    begun = headway.train(first, parser="boosted", **how)
    old = begun.stages[-1]
    data = PairData(BoostedOptions(**how), list(batches_of(second)))
    learner = local_learner("exponential", {}, {"exponential": {"strength": 1.0}})
    new = weights_of(learn(data.pairs, np.ones(len(data.pairs)), learner, begin=old.linker.model))
    seen = {key for part in range(data.pairs.parts) for key in data.pairs.columns(part).keys.tolist()}
    before = weights_of(old.linker.model)
    words = [sum(map(len, some)) for some in (first, second)]
    for passes in (1, 3):
        share = passes * words[1] / (words[0] + passes * words[1])
        expected = {
            place: share * new.get(place, 0) + (1 - share) * before.get(place, 0) if place[0] in seen else before[place]
            for place in {*before, *new}
        }
        found = headway.continue_training(begun, second, passes=passes).stages[-1]
        learned = weights_of(found.linker.model)
        assert learned.keys() <= expected.keys()
        for place, weight in expected.items():
            assert learned.get(place, 0) == pytest.approx(weight, abs=1e-5)
        assert found.about["sentences"] == 45
    assert any(place[0] not in seen for place in before)


@pytest.mark.parametrize("how", [{}, {"boosting": "adaboost-m1", "keep": "vote", "rounds": 2}], ids=["one", "votes"])
def test_a_boosted_parser_learns_new_labels_and_keeps_the_old(how, tmp_path):
    begun = headway.train(generate(40, seed=4), parser="boosted", **{"rounds": 1, **how})
    more = [one.replace(deprels=["new" if d == "nsubj" else d for d in one.deprels]) for one in generate(20, seed=5)]
    begun.save(tmp_path / "begun.headway")
    found = headway.continue_training(headway.load(tmp_path / "begun.headway"), more, passes=4)
    found.save(tmp_path / "found.headway")
    labels = {label for sentence in headway.load(tmp_path / "found.headway").parse(more) for label in sentence.deprels}
    assert "new" in labels
    old = list(generate(40, seed=4))
    both = zip(found.parse(old), old, strict=True)
    right = [a.head == b.head for one, gold in both for a, b in zip(one, gold, strict=True)]
    assert np.mean(right) > 0.85


@pytest.mark.parametrize("learner", ["linear-svm", "logistic"])
def test_boosted_parsers_go_on_with_batch_learners(learner, tmp_path):
    first, second = list(generate(20, seed=4)), list(generate(10, seed=5))
    how = {"parser": "boosted", "rounds": 1, "learner": learner, "options": {"C": 0.5}}
    headway.train(first, **how).save(tmp_path / "begun.headway")
    begun = headway.load(tmp_path / "begun.headway")
    assert begun.about["learner"]["C"] == 0.5
    found = headway.continue_training(begun, second)
    assert found.about["sentences"] == 30
    before, after = (weights_of(parser.stages[-1].linker.model) for parser in (begun, found))
    assert before != after and before.keys() & after.keys()
    again = headway.continue_training(begun, second)
    assert weights_of(again.stages[-1].linker.model) == after


FORGED = {
    "learner": [
        None,
        "x",
        {},
        {"name": []},
        {"name": "kernel-svm"},
        {"name": "mira", "passes": "x"},
        {"name": "mira", "x": 1},
    ],
    "words": [None, "x", -1, 1.5],
    "passes": [None, [], True],
    "continued": [5, [None], "x"],
}


@pytest.mark.parametrize("classes", [0, 1], ids=["the same classes", "a new label"])
def test_a_state_with_classes_that_are_not_there_is_refused(classes):
    begun = headway.train(generate(10), **SAVED["transition"]).stages[-1]
    begun.state.arrays["classes"][-1] = len(begun.classes)
    more = [one.replace(deprels=["new" if classes else d for d in one.deprels]) for one in generate(2)]
    with pytest.raises(HeadwayError, match=r"the state of the model is damaged \(.*\); train it again"):
        headway.continue_training(headway.Parser([begun]), more)


@pytest.mark.parametrize("family", ["transition", "graph", "boosted"])
def test_what_nobody_could_say_of_a_training_is_refused(family):
    begun = headway.train(generate(10), **{**SAVED, "boosted": {"parser": "boosted", "rounds": 1}}[family])
    for name, values in FORGED.items():
        for value in values:
            with pytest.raises(HeadwayError, match=r"; |has no option|is not "):
                headway.continue_training(begun.with_about(**{name: value}), generate(2))


def test_what_cannot_go_on_says_so(tmp_path, run):
    with pytest.raises(HeadwayError, match="train it with --updatable"):
        headway.continue_training(headway.train(generate(20), passes=1, features="malt-14"), generate(5))
    with pytest.raises(HeadwayError, match="train it with --updatable"):
        headway.continue_training(headway.train(generate(20), **{**SMALL, "updatable": False}), generate(5))
    with pytest.raises(HeadwayError, match="learned all at once"):
        headway.continue_training(headway.train(generate(20), learner="kernel-svm", features="malt-14"), generate(5))
    estimator = {"parser": "boosted", "rounds": 1, "learner": "sklearn:linear_model.Perceptron"}
    with pytest.raises(HeadwayError, match="not one of headway's"):
        headway.continue_training(headway.train(generate(10), **estimator), generate(5))
    with pytest.raises(HeadwayError, match="leave updatable out"):
        headway.train(generate(5), learner="linear-svm", updatable=True)
    with pytest.raises(HeadwayError, match="expected a parser"):
        headway.continue_training("model", generate(5))


@pytest.fixture(scope="module")
def pipeline():
    how = {"pipeline": True, "folds": 2, "features": "malt-14", "passes": 1, "updatable": True}
    return headway.train(generate(30, seed=4), **how)


def renamed(seed):
    """Sentences of another treebank: new tags, lemmas, labels and cuts."""
    return [
        one.replace(
            upos=["NEW" if tag == "NOUN" else tag for tag in one.upos],
            lemmas=[f"{lemma}o" if tag == "NOUN" else lemma for lemma, tag in zip(one.lemmas, one.upos, strict=True)],
            deprels=["new" if label == "nsubj" else label for label in one.deprels],
            forms=[form.replace("dogs", "do gs") for form in one.forms],
        )
        for one in generate(40, seed=seed)
    ]


def cells_of(parser, sentences, column):
    return [cell for one in parser.parse(sentences) for cell in getattr(one, column)]


def test_all_stages_of_a_pipeline_go_on(pipeline):
    before, more = pickle.dumps(pipeline), renamed(5)
    found = headway.continue_training(pipeline, more, passes=2)
    assert pickle.dumps(pipeline) == before
    for stage, old in zip(found.stages, pipeline.stages, strict=True):
        assert stage.about["sentences"] == old.about["sentences"] + 40 and stage.about["passes"] > old.about["passes"]
    held_out = renamed(6)
    for column in ("upos", "lemmas", "deprels"):
        gold = [cell for one in held_out for cell in getattr(one, column)]
        old, new = (
            np.mean([a == b for a, b in zip(gold, cells_of(parser, held_out, column), strict=True)])
            for parser in (pipeline, found)
        )
        assert new > old + 0.03, column
    again = headway.continue_training(pipeline, more, passes=2)
    assert [str(one) for one in again.parse(more)] == [str(one) for one in found.parse(more)]


def test_what_a_treebank_lacks_stays_as_it_was(pipeline, caplog):
    bare = [headway.Sentence(one.forms, heads=one.heads, deprels=one.deprels) for one in generate(8, seed=7)]
    found = headway.continue_training(pipeline, bare)
    assert found.stages[:4] == pipeline.stages[:4] and found.stages[4] is not pipeline.stages[4]
    for lack in ("text", "tags", "lemmas"):
        assert f"the treebank has no {lack}" in caplog.text


def test_a_segmenter_and_a_tagger_go_on_alone(tmp_path, run):
    headway.train(generate(20, seed=4), SegmenterOptions(passes=1)).save(tmp_path / "cuts.headway")
    more = [headway.Sentence(["can", "not"], misc=["SpaceAfter=No", "_"])] * 3
    headway.write(more, tmp_path / "more.conllu")
    done = run(
        "train", tmp_path / "more.conllu", "--continue", tmp_path / "cuts.headway", "-o", tmp_path / "on.headway"
    )
    assert done.exit_code == 0, done.stderr
    assert headway.load(tmp_path / "on.headway")("cannot")[0].forms == ["can", "not"]
    tagger = headway.train(generate(20, seed=4), TaggerOptions(passes=1))
    found = headway.continue_training(tagger, [headway.Sentence(["zork", "zork"], upos=["NEW", "_"])])
    assert found(["zork", "zork"]).upos[0] == "NEW"
    assert found.stages[0].about["words"] == tagger.stages[0].about["words"] + 2


def test_dictionaries_add_up():
    chance = np.random.default_rng(3)
    words, numbers = chance.integers(0, 9, 80).astype(np.uint64), chance.integers(0, 5, 80).astype(np.int32)
    parts = Dictionary.of(words[:30], numbers[:30]) + Dictionary.of(words[30:], numbers[30:])
    for one, other in zip(vars(parts).values(), vars(Dictionary.of(words, numbers)).values(), strict=True):
        np.testing.assert_array_equal(one, other)
