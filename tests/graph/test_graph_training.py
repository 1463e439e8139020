"""Training, the model file, interruptions."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import headway
from headway import Parser, Sentence
from headway.base.errors import HeadwayError
from headway.base.options import positive
from headway.data.formats.writing import write
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_projective, is_tree
from headway.learners.online import PA1
from headway.learners.registry import ONLINE, learner
from headway.parsers.graph.options import LEARNER_DEFAULTS, GraphOptions
from headway.parsers.graph.registry import DECODERS
from headway.training import checkpoint as checkpoints
from headway.training.contract import unheard
from headway.training.dev_scores import judged
from headway.training.loop import TrainingLoop
from headway.training.tuning import attempts, tuned

SMALL = {"bits": 16, "label_bits": 14}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(150, seed=1))


@pytest.fixture(scope="module")
def dev():
    return list(generate(40, seed=2))


def batches(sentences):
    return list(batches_of(sentences))


def options_for(**options):
    chosen = learner("pa-1", passes=3)
    return GraphOptions(**{**SMALL, "order": 1, "learner": chosen, "decoder": "eisner", **options})


def loop_for(source, dev=None, *, checkpoint=None, **options):
    judges = None if dev is None else batches(dev)
    return TrainingLoop(
        options_for(**options), batches(source), dev=judges, checkpoint=checkpoint, checkpoint_seconds=0.0
    )


def trained(source, dev=None, **options):
    done = loop_for(source, dev, **options)
    done.run()
    return done


def parsed(stage, sentences):
    return list(Parser([stage]).parse(sentences, force=True))


def saved(stage, path):
    Parser([stage]).save(path)
    return path.read_bytes()


def las(parser, gold, folder):
    """As `headway evaluate` has it by default."""
    for name, sentences in (("gold", gold), ("parsed", parsed(parser, gold))):
        write(sentences, folder / f"{name}.conllu")
    return 100 * headway.evaluate(folder / "gold.conllu", folder / "parsed.conllu")["LAS"].f1


@pytest.mark.parametrize("decoder", DECODERS.own)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("labels", ["after", "joint"])
def test_what_is_learned_parses(treebank, dev, tmp_path, decoder, order, labels):
    done = trained(treebank, dev, decoder=decoder, order=order, labels=labels)
    assert done.best.about["dev"]["LAS"] > 75
    assert las(done.best, dev, tmp_path) == pytest.approx(done.best.about["dev"]["LAS"])
    assert done.history[-1].told["mistakes %"] < done.history[0].told["mistakes %"]
    for sentence in parsed(done.best, dev):
        assert is_tree(sentence.heads)
        assert (sentence.heads == 0).sum() == 1


def test_a_seed_is_used(treebank, tmp_path):
    files = [saved(trained(treebank, seed=seed).best, tmp_path / f"{n}.headway") for n, seed in enumerate((1, 1, 2))]
    assert files[0] == files[1]
    # The file names its seed, so that a second look is needed at what was learned.
    assert files[0] != files[2]
    first, _, other = (headway.load(tmp_path / f"{number}.headway").stages[0] for number in range(3))
    assert not np.array_equal(first.weights, other.weights)


def test_the_default_learner_may_be_said(treebank, dev, tmp_path):
    """It has the same average said and unsaid: that of PA-I begins after two passes, where there are five or more."""
    small = {"order": 1, "passes": 5, **SMALL}
    ways = [
        headway.train(treebank, parser="graph", **small),
        headway.train(treebank, parser="graph", learner="pa-1", **small),
        headway.train(treebank, GraphOptions(**small)),
        headway.train(treebank, GraphOptions(learner="pa-1", **small)),
    ]
    files = []
    for number, parser in enumerate(ways):
        parser.save(tmp_path / str(number))
        files.append((tmp_path / str(number)).read_bytes())
    assert len(set(files)) == 1
    assert ways[0].about["learner"]["settle"] == 2
    as_object = headway.train(treebank, parser="graph", learner=PA1(settle=2), **small)
    assert np.array_equal(as_object.stages[0].weights, ways[0].stages[0].weights)
    for other in ({"learner": PA1()}, {"options": {"settle": 0}}):
        unsettled = headway.train(treebank, parser="graph", **other, **small)
        assert not np.array_equal(unsettled.stages[0].weights, ways[0].stages[0].weights)


@pytest.mark.parametrize("name", ["pa-1", "arow"])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(treebank, dev, tmp_path, name):
    options = {"learner": learner(name, passes=4), "decoder": "auto"}
    whole = trained(treebank, dev, **options)
    checkpoint = tmp_path / "checkpoint"
    passes = iter(loop_for(treebank, dev, checkpoint=checkpoint, **options))
    next(passes)
    next(passes)
    passes.close()
    assert checkpoint.exists()
    second = loop_for(treebank, dev, checkpoint=checkpoint, **options)
    assert [done.number for done in second] == [3, 4]
    assert checkpoint.exists(), "it stays until somebody says that the result is safe"
    checkpoints.remove(second.checkpoint)
    assert not checkpoint.exists()
    assert [step.dev.main for step in second.history] == [step.dev.main for step in whole.history]
    assert saved(whole.best, tmp_path / "0.headway") == saved(second.best, tmp_path / "1.headway")


def test_a_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    passes = iter(loop_for(treebank, checkpoint=checkpoint))
    next(passes)
    next(passes)
    passes.close()
    with pytest.raises(HeadwayError, match="of another training"):
        next(iter(loop_for(treebank, checkpoint=checkpoint, loss="sqrt")))


def crossing(count):
    """A treebank of sentences with arcs that cross, all alike."""
    return [
        Sentence(forms=["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "y", "root", "z"]) for _ in range(count)
    ]


def test_the_decoder_follows_the_treebank(treebank):
    assert trained(crossing(20), decoder="auto").best.shape.decoder == "chu-liu-edmonds"
    projective = [sentence for sentence in treebank if is_projective(sentence.heads)]
    assert trained(projective, decoder="auto").best.shape.decoder == "eisner"


@pytest.mark.parametrize(("crossing_in_dev", "chosen"), [(0.0, "eisner"), (0.5, "chu-liu-edmonds")])
def test_with_a_free_decoder_all_are_candidates_and_dev_chooses(crossing_in_dev, chosen):
    source = list(generate(100, seed=1, nonprojective=0.3))
    dev = list(generate(40, seed=2, nonprojective=crossing_in_dev))
    training = options_for(decoder="auto").begin(batches(source))
    training.step(1, unheard)
    first, *others = training.candidates()
    assert first.shape.decoder == "chu-liu-edmonds"
    names = [name for name in DECODERS.own if name != first.shape.decoder]
    assert [stage.shape for stage in others] == [replace(first.shape, decoder=name) for name in names]
    assert all(stage.weights is first.weights for stage in others)
    scores = {stage.shape.decoder: judged(stage, batches(dev)).main for stage in (first, *others)}
    done = trained(source, dev, decoder="auto", learner=learner("pa-1", passes=1))
    assert done.best.shape.decoder == chosen == max(scores, key=scores.__getitem__)
    assert done.best.about["dev"]["LAS"] == scores[chosen] > min(scores.values())
    assert trained(source, decoder="auto").best.shape.decoder == "chu-liu-edmonds"


@pytest.mark.parametrize("decoder", DECODERS.own)
def test_a_decoder_that_was_said_is_the_only_candidate(decoder):
    training = options_for(decoder=decoder).begin(batches(crossing(5)))
    training.step(1, unheard)
    assert [stage.shape.decoder for stage in training.candidates()] == [decoder]


def test_lifted_arcs_come_back():
    [sentence] = parsed(trained(crossing(20), decoder="eisner").best, crossing(1))
    assert sentence.heads.tolist() == [3, 4, 0, 3]
    assert sentence.deprels == ["x", "y", "root", "z"]


def test_single_root_is_what_all_trees_have(treebank):
    assert trained(treebank).best.shape.single_root
    several = Sentence(forms=["a", "b"], heads=[0, 0], deprels=["root", "root"])
    parser = trained([*treebank, *[several] * 20]).best
    assert not parser.shape.single_root
    assert [one.heads.tolist() for one in parsed(parser, [several])] == [[0, 0]]


def test_sentences_beyond_the_reach_of_siblings_are_parsed_by_their_arcs(treebank):
    long = Sentence(forms=[w for s in treebank for w in s.forms][:320], heads=[0] * 320, deprels=["x"] * 320)
    [found] = parsed(trained(treebank, order=2).best, [long])
    assert is_tree(found.heads)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": learner("logistic")}, "logistic"),
        ({"features": "malt-14"}, "belongs to transition parsers"),
        ({"features": "mst", "order": 2}, "no features of siblings"),
    ],
    ids=["logistic", "malt-14", "mst"],
)
def test_options_that_do_not_go_together(treebank, options, message):
    with pytest.raises(HeadwayError, match=message):
        loop_for(treebank, **options).run()


def test_a_transition_parser_does_not_know_arcs(treebank):
    with pytest.raises(HeadwayError, match="belongs to graph parsers"):
        headway.train(treebank, features="mst")
    with pytest.raises(HeadwayError, match="unknown family of parsers 'chart'; known are: boosted, graph, transition"):
        headway.train(treebank, parser="chart")


@dataclass(frozen=True, kw_only=True)
class Tried(PA1):
    """PA-I that may be chosen with a step so short that nothing is learned."""

    C: float = positive(0.05, "The longest step.", tried=(1e-7, 0.05))


def test_tuning_takes_what_is_best_on_dev(treebank, dev):
    options = options_for(learner=Tried(), passes=1, decoder="auto")
    data, judges = batches(treebank), batches(dev)
    found = tuned(options, data, judges, ["C", "decoder"], patience=3)
    assert found.chosen == Tried(passes=1, C=0.05)
    assert found.options == {"C": 0.05}
    scores = {
        name: TrainingLoop(replace(found, decoder=name), data, dev=judges).run().about["dev"]["LAS"]
        for name in DECODERS.own
    }
    assert scores[found.decoder] == max(scores.values())
    assert replace(found, options={}, decoder="auto") == options
    with pytest.raises(HeadwayError, match="'phi' cannot be chosen on dev; known are: C, cost_augmented, decoder, "):
        tuned(GraphOptions(), data, judges, ["phi"], patience=3)
    with pytest.raises(HeadwayError, match="choosing C needs a development treebank"):
        headway.train(treebank, parser="graph", tune="C")


def test_tuning_tries_what_learner_and_family_declare():
    chosen = [one.chosen for one in attempts(GraphOptions(passes=1), "C")]
    assert chosen == [learner("pa-1", passes=1, settle=2, C=C) for C in (0.001, 0.003, 0.01, 0.05)]
    assert [one.chosen.r for one in attempts(GraphOptions(learner="arow"), "r")] == [1.0, 10.0, 100.0, 1000.0]
    assert [one.decoder for one in attempts(GraphOptions(), "decoder")] == list(DECODERS.own)
    assert [one.cost_augmented for one in attempts(GraphOptions(), "cost_augmented")] == [True, False]
    assert [one.loss for one in attempts(GraphOptions(), "loss")] == ["rho", "sqrt"]


def test_training_begins_with_what_was_tuned(treebank, dev):
    small = {"passes": 1, "order": 1, "decoder": "eisner", **SMALL}
    parser = headway.train(treebank, dev=dev, parser="graph", tune="loss", **small)
    expected = tuned(GraphOptions(**small), batches(treebank), batches(dev), ["loss"], patience=3)
    assert parser.about["options"] == expected.identity()


@pytest.mark.parametrize("name", ONLINE.own)
def test_every_learner_is_averaged_as_the_docs_say(name):
    """After two passes where graph parsers have a default of their own for a learner, and for `mira`."""
    chosen = GraphOptions(learner=name).chosen
    assert chosen.average
    assert chosen.settle == (2 if name in ("mira", *LEARNER_DEFAULTS) else 0)
