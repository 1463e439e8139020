"""Training and parsing from end to end, on the generated treebank."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.batch_parser import attachment
from headway.formats.writing import write
from headway.learners.registry import ONLINE, learner
from headway.sample import generate
from headway.transition.data import batches_of
from headway.transition.options import best_passes, trainer_from
from headway.transition.system import ROOTS, System
from headway.transition.trainer import Trainer
from headway.trees import is_projective, is_tree

CHOICES = [(name, root, single) for name in ROOTS for root in ROOTS[name] for single in (False, True)]


@pytest.fixture(scope="module")
def treebank():
    return list(generate(300, seed=1, nonprojective=0.2))


@pytest.fixture(scope="module")
def unseen():
    return list(generate(80, seed=2, nonprojective=0.2))


def trained(treebank, **options):
    trainer = Trainer(**{"features": "malt-14+pairs", "learner": learner("mira", passes=3), **options})
    for _ in trainer.run(treebank):
        pass
    return trainer.best


def las(parser, sentences):
    return attachment(parser, list(batches_of(sentences)))[0]


@pytest.mark.parametrize("name", ONLINE.own)
def test_every_learner_learns(name, treebank, unseen):
    parser = trained(treebank, learner=learner(name, passes=4))
    assert las(parser, treebank) > 90
    assert las(parser, unseen) > 70


@pytest.mark.parametrize(("name", "root", "single"), CHOICES)
def test_every_system_gives_trees(name, root, single, treebank, unseen):
    system = System(name=name, root=root, single_root=single)
    features = "default" if name == "arc-eager" else "malt-14+pairs"
    parser = trained(treebank, system=system, features=features, learner=learner("mira", passes=2))
    for sentence in parser.parse(unseen):
        assert is_tree(sentence.heads)
        if single and name != "swap" and parser.encoding == "none":
            assert (sentence.heads == 0).sum() == 1


@pytest.mark.parametrize("single", [True])
@pytest.mark.parametrize("name", ["arc-eager", "arc-standard", "swap"])
def test_a_single_root_is_kept_whatever_was_learned(name, single, unseen):
    several = [headway.Sentence(forms=list("abcd"), upos=list("NVNV"), heads=[0, 0, 0, 0], deprels=["root"] * 4)] * 20
    system = System(name=name, root=ROOTS[name][0], single_root=single)
    parser = trained(several, system=system, encoding="none", learner=learner("perceptron", passes=1))
    for sentence in parser.parse(unseen):
        assert (sentence.heads == 0).sum() == 1


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("explore", [0.0, 0.9])
def test_one_step_or_two_static_or_exploring(two_step, explore, treebank, unseen):
    parser = trained(treebank, two_step=two_step, explore=explore)
    assert las(parser, unseen) > 70


def test_pseudo_projective_parsing_finds_crossing_arcs(treebank):
    assert any(not is_projective(s.heads) for s in trained(treebank, encoding="head").parse(treebank))
    assert all(is_projective(s.heads) for s in trained(treebank, encoding="none").parse(treebank))


def test_labels_are_those_of_the_treebank(treebank, unseen):
    known = {label for sentence in treebank for label in sentence.deprels}
    for encoding in ("head", "path", "head+path"):
        for sentence in trained(treebank, encoding=encoding).parse(unseen):
            assert set(sentence.deprels) <= known


def test_only_heads_and_labels_change(treebank, unseen):
    for before, after in zip(unseen, trained(treebank).parse(unseen), strict=True):
        assert str(before) == str(after.replace(heads=before.heads, deprels=before.deprels))


def test_predicted_trees_lie_over_the_gold_ones(treebank, unseen, tmp_path):
    write(unseen, tmp_path / "gold.conllu")
    parser = trained(treebank)
    [(batch, text)] = parser.parse_batches(tmp_path / "gold.conllu")
    parsed = list(parser.parse(tmp_path / "gold.conllu"))
    assert "".join(f"{sentence}\n" for sentence in parsed).encode() == text
    for gold, sentence in zip(unseen, parsed, strict=True):
        assert sentence.batch.text == batch.text
        assert str(headway.Sentence.view(sentence.batch.beneath("predicted"), sentence.index)) == str(gold)
    assert [s.line for s in parsed] == [s.line for s in headway.read(tmp_path / "gold.conllu")]


def test_a_parser_sees_tags_in_a_layer(treebank, unseen):
    parser = trained(treebank)
    [batch] = batches_of(unseen)
    blind = [s.replace(xpos=["_"] * len(s), upos=["_"] * len(s)) for s in unseen]
    [untagged] = batches_of(blind)
    tagged = untagged.with_layer("tags", columns={name: batch.codes(name) for name in ("UPOS", "XPOS")})
    assert parser.trees(tagged).heads.tolist() == parser.trees(batch).heads.tolist()
    assert parser.trees(untagged).heads.tolist() != parser.trees(batch).heads.tolist()
    assert parser.parse_batch(tagged) == parser.parse_batch(batch)


def test_the_same_seed_gives_the_same_bytes(treebank, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(treebank, seed=seed, explore=0.9).save(tmp_path / name)
    first, second, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == second
    assert first != other


def test_a_saved_parser_parses_the_same(treebank, unseen, tmp_path):
    parser = trained(treebank, two_step=True, encoding="head+path")
    parser.save(tmp_path / "model")
    again = headway.load(tmp_path / "model")
    assert [str(s) for s in parser.parse(unseen)] == [str(s) for s in again.parse(unseen)]
    assert again.about == parser.about


def test_threads_change_nothing(treebank, unseen, tmp_path):
    write(unseen * 60, tmp_path / "many.conllu")
    parser = trained(treebank)
    one, three = ([text for _, text in parser.parse_batches(tmp_path / "many.conllu", n)] for n in (1, 3))
    assert one == three and len(one) > 4


def test_rare_features_are_left_out(treebank):
    every, some = (trained(treebank, cutoff=cutoff) for cutoff in (1, 3))
    assert some.about["weights"] < every.about["weights"] * 0.7


def test_columns_without_content_are_left_out(treebank, caplog):
    import logging

    logging.getLogger("headway").propagate = True
    bare = [s.replace(xpos=["_"] * len(s), lemmas=["_"] * len(s), feats=["_"] * len(s)) for s in treebank]
    with caplog.at_level("WARNING"):
        parser = trained(bare, features="default", learner=learner("mira", passes=1))
    said = " ".join(record.getMessage() for record in caplog.records)
    assert "XPOS is empty or constant; UPOS takes its place" in said
    assert "LEMMA is empty or constant" in said and "FEATS is empty or constant" in said
    names = {column.field for column in parser.templates.columns}
    assert names == {"FORM", "UPOS"}


def test_training_stops_when_dev_no_longer_improves(treebank, unseen):
    trainer = Trainer(features="malt-14+pairs", learner=learner("cw", passes=50), dev=unseen, patience=2)
    history = list(trainer.run(treebank))
    best = max(history, key=lambda entry: entry.las)
    assert len(history) == best.number + 2 < 50
    assert trainer.best.about["passes"] == best.number
    assert las(trainer.best, unseen) == pytest.approx(best.las)


def test_cross_validation_chooses_the_passes(treebank, monkeypatch):
    monkeypatch.setattr("headway.transition.options.MOST_PASSES", 3)
    trainer = trainer_from(treebank, features="malt-14", learner="perceptron", passes="auto", folds=2)
    assert trainer.learner.passes in (1, 2, 3)
    curves = []
    for fold in range(2):
        attempt = replace(
            trainer, learner=learner("perceptron", passes=3), dev=treebank[fold::2], patience=9, history=[]
        )
        curves.append([entry.las for entry in attempt.run(treebank[1 - fold :: 2])])
    assert trainer.learner.passes == int(np.mean(curves, axis=0).argmax()) + 1
    assert best_passes(trainer, treebank, 2) == trainer.learner.passes


def test_an_interrupted_training_goes_on_as_if_it_had_not_stopped(treebank, tmp_path):
    options = {"features": "malt-14+pairs", "explore": 0.9, "checkpoint_seconds": 0.0}
    for name in ("cw", "mira"):
        whole = Trainer(**options, learner=learner(name, passes=4), dev=treebank[:50])
        list(whole.run(treebank))
        broken = Trainer(
            **options, learner=learner(name, passes=4), dev=treebank[:50], checkpoint=tmp_path / "checkpoint"
        )
        for done in broken.run(treebank):
            if done.number == 2:
                break
        assert (tmp_path / "checkpoint").exists()
        resumed = replace(broken, history=[], best=None)
        assert [entry.number for entry in resumed.run(treebank)] == [3, 4]
        assert not (tmp_path / "checkpoint").exists()
        whole.best.save(tmp_path / "whole")
        resumed.best.save(tmp_path / "resumed")
        assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()


def test_a_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    options = {"features": "malt-14", "checkpoint_seconds": 0.0, "checkpoint": tmp_path / "checkpoint"}
    first = Trainer(**options, learner=learner("mira", passes=3))
    next(first.run(treebank))
    with pytest.raises(headway.HeadwayError, match="another training"):
        next(Trainer(**options, learner=learner("cw", passes=3)).run(treebank))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "winnow"}, "unknown learner 'winnow'; known are: arow"),
        ({"learner": "cw", "options": ["psi=2"]}, "no option 'psi'; known are: average"),
        ({"learner": "cw", "options": ["phi"]}, "NAME=VALUE"),
        ({"learner": "cw", "options": ["phi=large"]}, "no number"),
        ({"learner": "cw", "options": {"phi": -1}}, "not positive"),
        ({"system": "arc-lazy"}, "unknown transition system"),
        ({"system": "swap", "root": "end"}, "no root at 'end'"),
        ({"features": "nowhere"}, "no feature model"),
        ({"encoding": "tail"}, "unknown encoding"),
        ({"system": "swap", "explore": 0.5}, "dynamic oracle"),
    ],
)
def test_impossible_options_are_refused(options, message, treebank):
    with pytest.raises(headway.HeadwayError, match=message):
        headway.train(treebank[:20], **options)


def test_an_unparsed_treebank_is_refused(tmp_path):
    (tmp_path / "blind.conllu").write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(headway.HeadwayError, match=r"blind.conllu:1: this sentence has no heads"):
        headway.train(tmp_path / "blind.conllu")
