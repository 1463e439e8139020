"""Training boosted parsers: rounds, the model file, jobs, interruptions, forged files."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway import Sentence
from headway import model as files
from headway.boosting.decoder import decode
from headway.boosting.linear import LinearModel
from headway.boosting.options import boosted_trainer_from
from headway.boosting.parser import BoostedParser, Form
from headway.boosting.work import MOST_TAGS, Work, form_for
from headway.errors import HeadwayError
from headway.sample import generate
from headway.transition.data import batches_of
from headway.trees import is_projective, is_tree

QUICK = {"features": "local", "label_features": "mst"}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(60, seed=1))


@pytest.fixture(scope="module")
def dev():
    return list(generate(30, seed=2))


def trained(source, **options):
    done = boosted_trainer_from(source, **{**QUICK, **options})
    list(done.run(source))
    return done


@pytest.fixture(scope="module")
def four(treebank, dev):
    return trained(treebank, dev=dev, keep="last", options={"strength": 4.0})


def das(parser, gold):
    pairs = zip(parser.parse(gold), gold, strict=True)
    right = np.concatenate([a.heads == b.heads for a, b in pairs])
    return 100 * right.mean()


def test_every_round_has_its_scores(four, dev):
    assert [done.number for done in four.history] == [1, 2, 3, 4]
    assert four.history[-1].wrong < four.history[0].wrong
    assert four.history[-1].train.da > four.history[0].train.da
    assert das(four.best, dev) == pytest.approx(four.history[-1].dev.da) == pytest.approx(four.best.about["dev_uas"])
    for scores in (four.history[-1].train, four.history[-1].dev):
        assert scores.cm <= scores.ra <= 100
        assert scores.las <= scores.da


def test_trees_are_trees(four, dev):
    for sentence in four.best.parse(dev):
        assert is_tree(sentence.heads)
        assert is_projective(sentence.heads)
        assert (sentence.heads == 0).sum() == 1


@pytest.mark.parametrize("options", [{"dynamic": False}, {"decoder": "cky"}, {"partitioned": False}], ids=str)
def test_the_forms_of_the_parser(treebank, dev, options, tmp_path):
    parser = trained(treebank, rounds=1, **options).best
    assert das(parser, dev) > 70
    parser.save(tmp_path / "m.headway")
    again = headway.load(tmp_path / "m.headway")
    assert again.linker.form == parser.linker.form
    assert [str(one) for one in again.parse(dev)] == [str(one) for one in parser.parse(dev)]


def test_both_decoders_find_trees_of_the_same_score(four, dev):
    linker = four.best.linker
    for batch in batches_of(dev):
        logits = linker.logits(linker.templates.encode(batch), batch.sentence_word)
        split, spans = (decode(logits, form=form, single_root=True) for form in ("split-head", "cky"))
        assert split.totals == pytest.approx(spans.totals)
        assert (split.heads == spans.heads).mean() > 0.95


def test_the_model_file_holds_the_parser(four, dev, tmp_path):
    four.best.save(tmp_path / "a.headway")
    again = headway.load(tmp_path / "a.headway")
    assert isinstance(again, BoostedParser)
    assert [str(one) for one in again.parse(dev, threads=2)] == [str(one) for one in four.best.parse(dev)]
    again.save(tmp_path / "b.headway")
    assert (tmp_path / "a.headway").read_bytes() == (tmp_path / "b.headway").read_bytes()


def test_jobs_change_nothing(treebank, tmp_path):
    for jobs in (1, 3):
        trained(treebank, rounds=2, jobs=jobs).best.save(tmp_path / f"{jobs}.headway")
    assert (tmp_path / "1.headway").read_bytes() == (tmp_path / "3.headway").read_bytes()


def test_held_out_sentences_have_more_mistakes(treebank, tmp_path):
    options = {"rounds": 1, "dynamic": False, "features": "local"}
    plain, folded = trained(treebank, **options), trained(treebank, **options, held_out=2)
    assert folded.history[0].wrong > plain.history[0].wrong
    assert folded.history[0].train == plain.history[0].train
    work = Work(boosted_trainer_from(treebank, **{**QUICK, **options}), list(batches_of(treebank)))
    assert (np.sum(work.folds(3), axis=0) == 1).all()
    sentence = np.repeat(np.arange(len(treebank)), [len(s) * (len(s) + 1) // 2 for s in treebank])
    assert all((sentence[fold] % 3 == number).all() for number, fold in enumerate(work.folds(3)))
    with pytest.raises(HeadwayError, match="1 folds leave nothing to learn from"):
        trained(treebank, held_out=1)


@pytest.mark.parametrize("scheme", ["additive", "adaboost-m1", "adaboost-m2", "logistic-loss"])
@pytest.mark.parametrize("keep", ["last", "best", "ensemble"])
def test_an_interrupted_training_ends_as_if_it_had_not_been(treebank, dev, scheme, keep, tmp_path):
    options = {"dev": dev, "boosting": scheme, "keep": keep, "rounds": 3, "dynamic": False, "features": "local"}
    short = treebank[:30]
    whole = trained(short, **options)
    path = tmp_path / "m.headway"
    interrupted = boosted_trainer_from(short, **{**QUICK, **options}, output=path)
    for _ in interrupted.run(short):
        break
    assert (tmp_path / "m.headway.checkpoint").exists()
    resumed = trained(short, **options, output=path)
    assert not (tmp_path / "m.headway.checkpoint").exists()
    strip = [replace(entry, seconds=0.0) for entry in whole.history]
    assert [replace(entry, seconds=0.0) for entry in resumed.history] == strip
    whole.best.save(tmp_path / "a")
    resumed.best.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    short = treebank[:20]
    first = boosted_trainer_from(short, **QUICK, output=tmp_path / "m")
    for _ in first.run(short):
        break
    with pytest.raises(HeadwayError, match="checkpoint is of another training"):
        trained(short, output=tmp_path / "m", constant=3.0)
    assert trained(short, output=tmp_path / "m", constant=3.0, resume=False, rounds=1).best


def test_what_is_kept(treebank, dev):
    best = trained(treebank, dev=dev, options={"strength": 4.0})
    top = max(entry.dev.da for entry in best.history)
    assert das(best.best, dev) == pytest.approx(top)
    both = trained(treebank, dev=dev, keep="ensemble", rounds=2, options={"strength": 4.0})
    assert das(both.best, dev) == pytest.approx(both.history[-1].dev.da)
    with pytest.raises(HeadwayError, match="the best round is found on a development treebank"):
        boosted_trainer_from(treebank, keep="best")
    with pytest.raises(HeadwayError, match="'all' cannot be kept of the rounds; known are: best, ensemble, last"):
        boosted_trainer_from(treebank, keep="all")


@pytest.mark.parametrize("dynamic", [False, True])
def test_no_feature_is_learned_by_two_parts(treebank, dynamic):
    model = trained(treebank, rounds=1, dynamic=dynamic).best.linker.model
    features = np.repeat(model.keys, np.diff(model.start))
    assert len({*zip(features.tolist(), model.classes.tolist(), strict=True)}) == len(features)


def test_an_ensemble_of_one_round_is_that_round(treebank):
    last, ensemble = (trained(treebank, rounds=1, keep=keep).best.linker.model for keep in ("last", "ensemble"))
    for one, other in zip(last.arrays.values(), ensemble.arrays.values(), strict=True):
        assert np.array_equal(one, other)


def test_treebanks_with_one_word_or_one_label():
    sentences = [Sentence(forms=["Go"], heads=[0], deprels=["root"], upos=["VERB"])] * 3
    parser = trained(sentences, rounds=1, features="local").best
    assert [s.heads.tolist() for s in parser.parse(sentences)] == [[0]] * 3


def test_unknown_words_and_tags_are_parsed(four):
    strange = [Sentence(forms=list("abcd"), upos=list("WXYZ"), xpos=list("WXYZ"))]
    [found] = four.best.parse(strange)
    assert is_tree(found.heads)


@pytest.mark.parametrize(
    ("coarse", "fine", "taken"),
    [(3, 9, "UPOS"), (1, 9, "XPOS"), (MOST_TAGS + 1, 9, "XPOS"), (1, MOST_TAGS + 1, "UPOS"), (99, 1, "XPOS")],
)
def test_parts_go_by_the_first_tags_that_say_something(coarse, fine, taken):
    words = range(120)
    columns = {name: [f"t{word % size}" for word in words] for name, size in (("upos", coarse), ("xpos", fine))}
    sentence = Sentence(forms=["w"] * 120, heads=list(words), deprels=["d"] * 120, **columns)
    assert form_for(Form(), None, list(batches_of([sentence]))).tag == taken


def test_prepositions_with_children_show_them(treebank):
    """Where prepositions govern their nouns, the decoder sees the first child of a preposition."""
    turned = []
    for sentence in treebank:
        heads = sentence.heads.copy()
        for word, tag in enumerate(sentence.upos, 1):
            noun = heads[word - 1]
            if tag == "ADP" and noun > word:
                heads[word - 1], heads[noun - 1] = heads[noun - 1], word
        turned.append(sentence.replace(heads=heads) if is_tree(heads) else sentence)
    done = trained(turned, rounds=1, features="local+between")
    assert len(done.best.linker.prepositions)
    for sentence in done.best.parse(turned[:10]):
        assert is_tree(sentence.heads)
    assert done.history[0].train.da > 90


FORGED = [
    ("pair_classes", lambda a: a + 3),
    ("pair_classes", lambda a: a - 1),
    ("pair_start", lambda a: a[::-1].copy()),
    ("pair_start", lambda a: a[:-1]),
    ("pair_weights", lambda a: a * np.float32(np.nan)),
    ("pair_weights", lambda a: a[:-1]),
    ("pair_keys", lambda a: a.astype(np.int32)),
    ("pair_keys", lambda a: a[:-1]),
    ("label_classes", lambda a: a + 1000),
    ("label_weights", lambda a: a.reshape(1, -1)),
]


@pytest.mark.parametrize(("name", "forge"), FORGED, ids=lambda value: value if isinstance(value, str) else "")
def test_forged_models_are_refused(four, name, forge, tmp_path):
    path = tmp_path / "m.headway"
    four.best.save(path)
    header, arrays = files.load(path)
    files.save(path, header, {**arrays, name: forge(np.array(arrays[name]))})
    with pytest.raises(HeadwayError, match="the weights do not go together; train the parser again"):
        headway.load(path)


def test_a_linear_model_looks_up_what_it_was_made_of():
    model = LinearModel(
        keys=np.array([3, 9], np.uint64),
        start=np.array([0, 1, 3]),
        classes=np.array([2, 0, 1], np.int32),
        weights=np.array([0.5, 1, 2], np.float32),
    )
    rows = model.rows(np.array([[9, 4], [3, 9]], np.uint64), 3)
    assert rows.tolist() == [[[1, 2, 0], [0, 0, 0]], [[0, 0, 0.5], [1, 2, 0]]]
