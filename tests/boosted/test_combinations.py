"""Rounds that vote, rounds that learn from predicted states, and combinations of options that nobody thought of."""

from dataclasses import replace

import numpy as np
import pytest
from scored_trees import trees_of

import headway
from headway import Parser
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.parsers.boosted.local import learn
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.parser import BoostedParser
from headway.training.loop import TrainingLoop

QUICK = {"features": "local", "label_features": "mst"}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(60, seed=1))


@pytest.fixture(scope="module")
def dev():
    return list(generate(30, seed=2))


def loop_for(source, dev=None, *, checkpoint=None, **options):
    return TrainingLoop(
        BoostedOptions(**{**QUICK, **options}),
        list(batches_of(source)),
        dev=None if dev is None else list(batches_of(dev)),
        checkpoint=checkpoint,
        checkpoint_seconds=0.0,
    )


def trained(source, dev=None, **options):
    done = loop_for(source, dev, **options)
    done.run()
    return done


def parsed(stage, sentences):
    return list(Parser([stage]).parse(sentences))


def test_what_the_rounds_before_predicted_is_what_training_sees(treebank):
    """With predicted states round 2 learns from the states of the trees of round 1, not from gold ones."""
    loop = loop_for(treebank, states="predicted", rounds=2, options={"strength": 4.0})
    steps = iter(loop)
    next(steps)
    training = loop.training
    data, [first] = training.data, training.done
    heads = [data.templates.encode(batch) for batch in data.batches]
    linker = training.linker(first.model)
    found = np.concatenate(
        [linker.heads(encoded, batch.sentence_word) for encoded, batch in zip(heads, data.batches, strict=True)]
    )
    assert (training.seen == found).all()
    assert (data.classes_of(training.seen) == first.predicted).all()
    assert (found != data.trees.heads).any()
    next(steps)
    expected = learn(data.pairs.seen_as(found), first.state, training.learner, begin=first.model)
    other = learn(data.pairs, first.state, training.learner, begin=first.model)
    for one, same in ((expected, True), (other, False)):
        arrays = zip(one.packed("m").values(), training.done[1].model.packed("m").values(), strict=True)
        assert all(np.array_equal(a, b) for a, b in arrays) == same


def test_predicted_states_survive_an_interruption(treebank, tmp_path):
    options = {"states": "predicted", "held_out": 2, "rounds": 3, "keep": "vote", "options": {"strength": 4.0}}
    whole = trained(treebank, **options).best
    loop = loop_for(treebank, checkpoint=tmp_path / "c", **options)
    next(iter(loop))
    again = loop_for(treebank, checkpoint=tmp_path / "c", **options)
    again.run()
    for name in ("a", "b"):
        Parser([whole if name == "a" else again.best]).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def votes_for(tree, voters, shares):
    return sum(
        share * (head == voted)
        for voter, share in zip(voters, shares, strict=True)
        for head, voted in zip(tree, voter, strict=True)
    )


@pytest.mark.parametrize("boosting", ["additive", "adaboost-m1"])
def test_rounds_vote(treebank, dev, boosting, tmp_path):
    """Each round finds its trees; the tree with most votes for its arcs, of all projective ones, is taken."""
    parser = trained(treebank, keep="vote", boosting=boosting, rounds=3, options={"strength": 4.0}).best
    committee = parser.linker.model
    assert len(committee.models) == 3
    Parser([parser]).save(tmp_path / "m.headway")
    again = headway.load(tmp_path / "m.headway")
    assert [str(one) for one in again.parse(dev)] == [str(one) for one in parsed(parser, dev)]
    plain = replace(parser, encoding=None)
    voters = [replace(plain, linker=replace(plain.linker, model=model)) for model in committee.models]
    differ = 0
    for elected, *trees in zip(*(parsed(one, dev) for one in (plain, *voters)), strict=True):
        found = [tree.heads.tolist() for tree in trees]
        differ += found[0] != found[1]
        if len(elected) > 6:
            continue
        every = trees_of(len(elected), projective=True, single=True).tolist()
        best = max(votes_for(tree, found, committee.shares) for tree in every)
        assert votes_for(elected.heads.tolist(), found, committee.shares) == pytest.approx(best)
    assert differ


@pytest.mark.parametrize("shares", [[], [0.0], ["1"], [float("inf")], [-1.0, 1.0]])
def test_forged_shares_are_refused(treebank, shares):
    header, arrays = trained(treebank[:10], keep="vote", rounds=1).best.pack()
    with pytest.raises(HeadwayError, match=r"m: shares(\[0\])? in the header is"):
        BoostedParser.schema.check({**header, "shares": shares}, arrays, "m")
