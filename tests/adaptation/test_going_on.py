"""Training that goes on from a model, against training in one piece."""

import numpy as np
import pytest

import headway
from headway import HeadwayError
from headway.sample import generate

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
    pieces = headway.learn_on(begun, second, shuffle=False).stages[-1]
    assert pieces.classes.transitions == whole.classes.transitions
    for one, other in zip(pieces.weights, whole.weights, strict=True):
        assert one.tobytes() == other.tobytes()
    for name, array in whole.state.arrays.items():
        assert pieces.state.arrays[name].tobytes() == array.tobytes()
    assert pieces.state.header == {**whole.state.header, "passes": 2}


def test_a_saved_state_goes_on_as_one_in_memory(tmp_path, run):
    first, second = halves()
    how = {"passes": 1, "features": "malt-14", "updatable": True}
    headway.train(first, **how).save(tmp_path / "first.headway")
    headway.write(second, tmp_path / "more.conllu")
    done = run(
        "train", tmp_path / "more.conllu", "--continue", tmp_path / "first.headway", "-o", tmp_path / "on.headway"
    )
    assert done.exit_code == 0, done.stderr
    assert "100 sentences in all" in done.stderr
    expected = headway.learn_on(headway.train(first, **how), second)
    expected.save(tmp_path / "memory.headway")
    assert (tmp_path / "on.headway").read_bytes() == (tmp_path / "memory.headway").read_bytes()
    again = headway.learn_on(headway.load(tmp_path / "on.headway"), second)
    assert again.about["passes"] == 3
    plain = headway.train(first, passes=1, features="malt-14")
    plain.save(tmp_path / "plain.headway")
    assert (tmp_path / "plain.headway").stat().st_size < (tmp_path / "first.headway").stat().st_size


def test_new_labels_are_learned():
    begun = headway.train(generate(40, seed=4), passes=1, features="malt-14", updatable=True)
    more = [one.replace(deprels=["new" if d == "nsubj" else d for d in one.deprels]) for one in generate(40, seed=5)]
    found = headway.learn_on(begun, more, passes=3)
    labels = {label for sentence in found.parse(more) for label in sentence.deprels}
    assert "new" in labels
    right = [
        one == other
        for gold, parsed in zip(more, found.parse(more), strict=True)
        for one, other in zip(gold.deprels, parsed.deprels, strict=True)
    ]
    assert np.mean(right) > 0.8


def test_what_cannot_go_on_says_so(tmp_path, run):
    with pytest.raises(HeadwayError, match="train it with --updatable"):
        headway.learn_on(headway.train(generate(20), passes=1, features="malt-14"), generate(5))
    with pytest.raises(HeadwayError, match="cannot go on from a graph parser"):
        headway.learn_on(headway.train(generate(20), parser="graph", passes=1, features="mst"), generate(5))
    with pytest.raises(HeadwayError, match="leave updatable out"):
        headway.train(generate(5), learner="linear-svm", updatable=True)
    with pytest.raises(HeadwayError, match="is no parser"):
        headway.learn_on("model", generate(5))
