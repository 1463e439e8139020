"""Training, the model file, interruptions."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway import Sentence
from headway.errors import HeadwayError
from headway.formats.writing import write
from headway.graph.options import graph_trainer_from
from headway.graph.parser import GraphParser, Shape
from headway.graph.trainer import GraphTrainer
from headway.learners.registry import learner
from headway.sample import generate
from headway.trees import is_projective, is_tree

SMALL = {"bits": 16, "label_bits": 14}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(150, seed=1))


@pytest.fixture(scope="module")
def dev():
    return list(generate(40, seed=2))


def trainer(**options):
    return GraphTrainer(
        **{"shape": Shape(**SMALL), "learner": learner("pa-1", passes=3), "decoder": "eisner", **options}
    )


def trained(source, **options):
    done = trainer(**options)
    list(done.run(source))
    return done


def las(parser, gold, folder):
    """As `headway evaluate` has it by default."""
    for name, sentences in (("gold", gold), ("parsed", parser.parse(gold))):
        write(sentences, folder / f"{name}.conllu")
    return 100 * headway.evaluate(folder / "gold.conllu", folder / "parsed.conllu")["LAS"].f1


@pytest.mark.parametrize("decoder", ["eisner", "chu-liu-edmonds"])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("labels", ["after", "joint"])
def test_what_is_learned_parses(treebank, dev, tmp_path, decoder, order, labels):
    done = trained(treebank, dev=dev, decoder=decoder, shape=Shape(order=order, labels=labels, **SMALL))
    assert done.best.about["dev_las"] > 75
    assert las(done.best, dev, tmp_path) == pytest.approx(done.best.about["dev_las"])
    assert done.history[-1].mistakes < done.history[0].mistakes
    for sentence in done.best.parse(dev):
        assert is_tree(sentence.heads)
        assert (sentence.heads == 0).sum() == 1


def test_the_model_file_holds_the_parser(treebank, dev, tmp_path):
    parser = trained(treebank).best
    parser.save(tmp_path / "a.headway")
    again = headway.load(tmp_path / "a.headway")
    assert isinstance(again, GraphParser)
    assert [str(one) for one in again.parse(dev)] == [str(one) for one in parser.parse(dev)]
    again.save(tmp_path / "b.headway")
    assert (tmp_path / "a.headway").read_bytes() == (tmp_path / "b.headway").read_bytes()
    assert again.weights.dtype == np.int16


def test_threads_change_nothing(treebank, dev):
    parser = trained(treebank).best
    assert [str(one) for one in parser.parse(dev * 20, threads=3)] == [str(one) for one in parser.parse(dev * 20)]


def test_a_seed_is_used(treebank, tmp_path):
    files = []
    for number, seed in enumerate((1, 1, 2)):
        path = tmp_path / f"{number}.headway"
        trained(treebank, seed=seed).best.save(path)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]


@pytest.mark.parametrize("name", ["pa-1", "arow"])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(treebank, dev, tmp_path, name):
    chosen = learner(name, passes=4)
    whole = trained(treebank, dev=dev, learner=chosen, decoder="auto")
    checkpoint = tmp_path / "checkpoint"
    first = trainer(dev=dev, learner=chosen, decoder="auto", checkpoint=checkpoint, checkpoint_seconds=0)
    passes = first.run(treebank)
    next(passes)
    next(passes)
    passes.close()
    assert checkpoint.exists()
    second = trainer(dev=dev, learner=chosen, decoder="auto", checkpoint=checkpoint)
    assert [done.number for done in second.run(treebank)] == [3, 4]
    assert not checkpoint.exists()
    for number, parser in enumerate((whole.best, second.best)):
        parser.save(tmp_path / f"{number}.headway")
    assert (tmp_path / "0.headway").read_bytes() == (tmp_path / "1.headway").read_bytes()


def test_a_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    passes = trainer(checkpoint=checkpoint, checkpoint_seconds=0).run(treebank)
    next(passes)
    next(passes)
    passes.close()
    with pytest.raises(HeadwayError, match="of another training"):
        next(trainer(checkpoint=checkpoint, loss="sqrt").run(treebank))


def crossing(count):
    """A treebank of sentences with arcs that cross, all alike."""
    return [
        Sentence(forms=["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "y", "root", "z"]) for _ in range(count)
    ]


def test_the_decoder_follows_the_treebank(treebank):
    assert trained(crossing(20), decoder="auto").best.shape.decoder == "chu-liu-edmonds"
    projective = [sentence for sentence in treebank if is_projective(sentence.heads)]
    assert trained(projective, decoder="auto").best.shape.decoder == "eisner"


def test_dev_may_choose_the_decoder():
    done = trained(crossing(20), decoder="auto", dev=crossing(5))
    assert done.best.about["dev_uas"] == 100
    assert done.best.shape.decoder == "chu-liu-edmonds"


def test_lifted_arcs_come_back(treebank):
    [sentence] = trained(crossing(20), decoder="eisner").best.parse(crossing(1))
    assert sentence.heads.tolist() == [3, 4, 0, 3]
    assert sentence.deprels == ["x", "y", "root", "z"]


def test_single_root_is_what_all_trees_have(treebank):
    assert trained(treebank).best.shape.single_root
    several = Sentence(forms=["a", "b"], heads=[0, 0], deprels=["root", "root"])
    parser = trained([*treebank, *[several] * 20]).best
    assert not parser.shape.single_root
    assert [one.heads.tolist() for one in parser.parse([several])] == [[0, 0]]


def test_sentences_beyond_the_reach_of_siblings_are_parsed_by_their_arcs(treebank):
    long = Sentence(forms=[w for s in treebank for w in s.forms][:320], heads=[0] * 320, deprels=["x"] * 320)
    parser = trained(treebank, shape=Shape(order=2, **SMALL)).best
    [parsed] = parser.parse([long])
    assert is_tree(parsed.heads)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "logistic"}, "logistic does not learn from trees; known are: "),
        ({"loss": "hinge"}, "unknown loss 'hinge'; known are: rho, sqrt"),
        ({"k": 3}, "only mira at order 1"),
        ({"k": 3, "learner": "mira", "shape": Shape(order=2)}, "only mira at order 1"),
        ({"counts_labels": True}, "where labels are joint"),
        ({"decoder": "cky"}, "unknown decoder 'cky'"),
        ({"encoding": "heads"}, "unknown encoding 'heads'"),
        ({"features": "malt-14"}, "belongs to transition parsers"),
        ({"features": "mst", "shape": Shape(order=2)}, "no features of siblings"),
    ],
)
def test_options_that_do_not_go_together(treebank, options, message):
    with pytest.raises(HeadwayError, match=message):
        next(trainer(**options).run(treebank))


@pytest.mark.parametrize("wrong", [{"order": 3}, {"labels": "before"}, {"bits": 40}, {"decoder": "cyk"}])
def test_a_shape_without_meaning_is_refused(wrong):
    with pytest.raises(HeadwayError):
        Shape(**wrong)


def test_a_transition_parser_does_not_know_arcs(treebank):
    with pytest.raises(HeadwayError, match="belongs to graph parsers"):
        headway.train(treebank, features="mst")
    with pytest.raises(HeadwayError, match="unknown family of parsers 'chart'; known are: boosted, graph, transition"):
        headway.train(treebank, parser="chart")


def test_tuning_takes_what_is_best_on_dev(treebank, dev, monkeypatch):
    from headway.graph import tuning

    monkeypatch.setitem(tuning.OF_LEARNER, "C", (1e-7, 0.05))
    monkeypatch.setitem(tuning.OF_TRAINER, "decoder", ("eisner",))
    found = graph_trainer_from(treebank, dev=dev, passes=1, tune="C,decoder", **SMALL)
    assert found.learner == learner("pa-1", passes=1, settle=2, C=0.05)
    assert found.decoder == "eisner"
    assert found.history == []
    with pytest.raises(HeadwayError, match="'phi' of pa-1 cannot be chosen on dev; known are: C, cost_augmented,"):
        graph_trainer_from(treebank, dev=dev, tune="phi")
    with pytest.raises(HeadwayError, match="needs a development treebank"):
        graph_trainer_from(treebank, tune="C")


def test_the_number_of_passes_by_cross_validation(treebank):
    found = graph_trainer_from(treebank[:30], passes="auto", folds=2, decoder="eisner", **SMALL)
    assert 1 <= found.learner.passes <= 15


def test_several_trees_at_once_teach_more_than_one(treebank, dev):
    one = trained(treebank, learner=learner("mira", passes=1), dev=dev)
    several = trained(treebank, learner=learner("mira", passes=1), dev=dev, k=5)
    assert several.best.about["k"] == 5
    assert several.best.about["dev_las"] > 60
    assert not np.array_equal(one.best.weights, several.best.weights)
    assert replace(several.best.shape, decoder="eisner") == one.best.shape
