"""Decoders written in Python by others: they learn and parse as ours do, and their mistakes come out."""

from types import SimpleNamespace

import numpy as np
import pytest

import headway
from headway import Parser
from headway.base.errors import HeadwayError, known
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.learners.registry import learner
from headway.parsers.graph.options import GraphOptions
from headway.parsers.graph.registry import DECODERS
from headway.parsers.graph.training import shape_for
from headway.training.dev_scores import judged
from headway.training.loop import TrainingLoop

TREEBANK = list(generate(40, seed=6, nonprojective=0.3))
BATCHES = list(batches_of(TREEBANK))
SIZE = {"bits": 16, "label_bits": 14}


@pytest.fixture
def register():
    """Give a function the name `mine` among decoders, until the test ends."""

    def call(decode, projective=True):
        if "mine" in DECODERS:
            DECODERS.unregister("mine")
        DECODERS.register("mine", SimpleNamespace(decode=decode, projective=projective))

    yield call
    if "mine" in DECODERS:
        DECODERS.unregister("mine")


def trained(decoder, passes=2, **options):
    chosen = learner("pa-1", passes=passes)
    options = {"order": 1, "single_root": True, **SIZE, **options}
    return TrainingLoop(GraphOptions(decoder=decoder, learner=chosen, **options), BATCHES).run()


def parsed(stage, threads=1):
    return [(one.heads.tolist(), one.deprels) for one in Parser([stage]).parse(TREEBANK, threads=threads)]


@pytest.mark.parametrize("name", DECODERS.own)
@pytest.mark.parametrize("labels", ["after", "joint"])
def test_ours_called_through_python_learn_and_parse_the_same(name, labels, register):
    ours = trained(name, labels=labels)
    register(DECODERS[name].decode, DECODERS[name].projective)
    theirs = trained("mine", labels=labels)
    assert theirs.encoding == ours.encoding == ("head" if DECODERS[name].projective else None)
    assert np.array_equal(theirs.weights, ours.weights)
    assert parsed(theirs) == parsed(ours)


def leftmost(scores, *, single_root):
    """The first word is the root, every other word has its best head among the words before it."""
    return [0] + [1 + int(np.argmax(scores[1:c, c])) for c in range(2, len(scores))]


def test_another_decoder_learns_what_its_trees_can_say(register):
    register(leftmost)
    parser = trained("mine")
    assert all(heads[0] == 0 and all(h <= c for c, h in enumerate(heads)) for heads, _ in parsed(parser))
    to_the_left = sum(int(h) <= c for one in TREEBANK for c, h in enumerate(one.heads)) / sum(map(len, TREEBANK))
    assert judged(parser, BATCHES).scores["UAS"] > 50 * to_the_left


def test_what_a_decoder_is_given(register):
    seen = []

    def decode(scores, *, single_root):
        assert isinstance(scores, np.ndarray)
        assert scores.dtype == np.float64
        assert single_root is True
        assert np.isneginf(scores[:, 0]).all()
        assert np.isneginf(np.diag(scores)).all()
        seen.append(len(scores) - 1)
        heads = DECODERS["eisner"].decode(scores, single_root=single_root)
        scores[:] = np.nan  # a copy: whatever becomes of it, nobody looks at it again
        return heads

    register(decode)
    parser = trained("mine")
    assert sorted(seen) == sorted(2 * [len(one) for one in TREEBANK])
    assert np.array_equal(parser.weights, trained("eisner").weights)


def test_a_model_names_its_decoder(register, tmp_path):
    register(leftmost)
    parser = trained("mine")
    Parser([parser]).save(tmp_path / "model")
    [again] = headway.load(tmp_path / "model").stages
    assert parsed(again) == parsed(parser) == parsed(parser, threads=2)
    DECODERS.unregister("mine")
    with pytest.raises(HeadwayError, match=f"unknown decoder 'mine'; {known(DECODERS)}"):
        headway.load(tmp_path / "model")


def wrong(change):
    """A decoder whose fifth tree is changed."""
    calls = []

    def decode(scores, *, single_root):
        calls.append(len(scores))
        heads = DECODERS["eisner"].decode(scores, single_root=single_root)
        return change(heads) if len(calls) == 5 else heads

    return decode, calls


WRONG = {
    "too short": (lambda heads: heads[1:], r"decoder mine gave heads of shape \(\d+,\) and type int32 for \d+ words; "),
    "no array": (lambda heads: None, r"gave heads of shape \(\) and type object"),
    "fractions": (lambda heads: heads / 2, "and type float64 for"),
    "too large": (lambda heads: heads + 1000, r"decoder mine gave heads from 1000 to \d+ for \d+ words; let it "),
    "negative": (lambda heads: heads - 1, "decoder mine gave heads from -1 to"),
    "cycle": (lambda heads: np.arange(1, len(heads) + 1), "decoder mine: these heads are not a tree: word 1 of "),
    "several roots": (lambda heads: heads * 0, r"gave a tree with \d+ roots where a single one was asked for; let it "),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_trees_are_told_in_a_sentence(name, register):
    change, message = WRONG[name]
    register(leftmost)
    parser = trained("mine")
    for use in (lambda: trained("mine"), lambda: parsed(parser)):
        decode, calls = wrong(change)
        register(decode)
        with pytest.raises(HeadwayError, match=message):
            use()
        assert len(calls) == 5


@pytest.mark.parametrize("error", [ZeroDivisionError("why"), KeyboardInterrupt()], ids=repr)
def test_exceptions_come_out_as_they_are(error, register):
    register(leftmost)
    parser = trained("mine")

    def fail(heads):
        raise error

    for use in (lambda: trained("mine"), lambda: parsed(parser)):
        decode, calls = wrong(fail)
        register(decode)
        with pytest.raises(type(error)) as caught:
            use()
        assert caught.value is error
        assert len(calls) == 5
    register(leftmost)
    assert len(parsed(parser)) == len(TREEBANK)


def test_several_roots_where_these_are_allowed(register):
    register(lambda scores, *, single_root: np.zeros(len(scores) - 1, int))
    parser = trained("mine", passes=1, single_root=False)
    assert {head for heads, _ in parsed(parser) for head in heads} == {0}


def test_siblings_and_several_trees_are_refused_at_the_beginning(register):
    register(leftmost)
    with pytest.raises(
        HeadwayError, match=f"decoder mine looks at arcs alone; take order 1, or {' or '.join(DECODERS.own)}"
    ):
        GraphOptions(decoder="mine", order=2).begin(BATCHES)
    with pytest.raises(HeadwayError, match="k = 3: decoder mine finds one tree at a time; leave it out"):
        GraphOptions(decoder="mine", learner="mira", k=3).begin(BATCHES)
    assert shape_for(GraphOptions(decoder="mine"), BATCHES).order == 1
    assert shape_for(GraphOptions(), BATCHES).order == 2
