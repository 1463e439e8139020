"""Training boosted parsers: rounds, the model file, threads, interruptions, forged files."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway import Parser, Sentence
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.parsers.boosted.decoder import decode
from headway.parsers.boosted.linear import LinearModel
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.parser import BoostedParser
from headway.parsers.boosted.schemes import Additive
from headway.parsers.boosted.training import MOST_TAGS, PairData, shape_for
from headway.stages import model_file as files
from headway.stages.contract import Packed
from headway.training import checkpoint as checkpoints
from headway.training.loop import TrainingLoop
from headway.training.tuning import attempts, tuned

QUICK = {"features": "local", "label_features": "mst"}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(60, seed=1))


@pytest.fixture(scope="module")
def dev():
    return list(generate(30, seed=2))


def batches(sentences):
    return list(batches_of(sentences))


def loop_for(source, dev=None, *, patience=3, checkpoint=None, **options):
    return TrainingLoop(
        BoostedOptions(**{**QUICK, **options}),
        batches(source),
        dev=None if dev is None else batches(dev),
        patience=patience,
        checkpoint=checkpoint,
        checkpoint_seconds=0.0,
    )


def trained(source, dev=None, **options):
    done = loop_for(source, dev, **options)
    done.run()
    return done


def train_scores(step):
    return {name: value for name, value in step.told.items() if name.startswith("train ")}


@pytest.fixture(scope="module")
def four(treebank, dev):
    return trained(treebank, dev, keep="last", options={"strength": 4.0})


def parsed(stage, sentences):
    return list(Parser([stage]).parse(sentences, force=True))


def uas(stage, gold):
    pairs = zip(parsed(stage, gold), gold, strict=True)
    right = np.concatenate([a.heads == b.heads for a, b in pairs])
    return 100 * right.mean()


def las(stage, gold):
    """As `headway evaluate` has it for CoNLL-U: labels without subtypes."""
    right = [
        head == gold_head and label.split(":")[0] == gold_label.split(":")[0]
        for found, one in zip(parsed(stage, gold), gold, strict=True)
        for head, gold_head, label, gold_label in zip(found.heads, one.heads, found.deprels, one.deprels, strict=True)
    ]
    return 100 * np.mean(right)


def test_every_round_has_its_scores(four, dev):
    assert [done.number for done in four.history] == [1, 2, 3, 4]
    first, last = four.history[0], four.history[-1]
    assert last.told["pairs wrong"] < first.told["pairs wrong"]
    assert last.told["train UAS (ud)"] > first.told["train UAS (ud)"]
    for score, name in ((uas, "UAS"), (las, "LAS")):
        assert (
            score(four.best, dev) == pytest.approx(last.dev.scores[name]) == pytest.approx(four.best.about["dev"][name])
        )
    for start, end, scores in (("train ", " (ud)", last.told), ("", "", last.dev.scores)):
        assert scores[f"{start}CM{end}"] <= scores[f"{start}RA{end}"] <= 100
        assert scores[f"{start}LAS{end}"] <= scores[f"{start}UAS{end}"]


def test_both_decoders_find_trees_of_the_same_score(four, dev):
    linker = four.best.linker
    for batch in batches(dev):
        logits = linker.logits(linker.templates.encode(batch), batch.sentence_word)
        split, spans = (decode(logits, form=form, single_root=True) for form in ("split-head", "cky"))
        assert split.totals == pytest.approx(spans.totals)
        assert (split.heads == spans.heads).mean() > 0.95


def test_threads_change_nothing(treebank, tmp_path):
    for threads in (1, 3):
        Parser([trained(treebank, rounds=2, threads=threads).best]).save(tmp_path / f"{threads}.headway")
    assert (tmp_path / "1.headway").read_bytes() == (tmp_path / "3.headway").read_bytes()


def test_held_out_sentences_have_more_mistakes(treebank):
    options = {"rounds": 1, "dynamic": False, "features": "local"}
    plain, folded = trained(treebank, **options), trained(treebank, **options, held_out=2)
    assert folded.history[0].told["pairs wrong"] > plain.history[0].told["pairs wrong"]
    assert train_scores(folded.history[0]) == train_scores(plain.history[0])
    data = PairData(BoostedOptions(**{**QUICK, **options}), batches(treebank))
    folds = data.folds(3, seed=1)
    assert (np.sum(folds, axis=0) == 1).all()
    sentence = np.repeat(np.arange(len(treebank)), [len(s) * (len(s) + 1) // 2 for s in treebank])
    assert sorted(number for fold in folds for number in set(sentence[fold])) == list(range(len(treebank)))
    assert {len(set(sentence[fold])) for fold in folds} == {20}
    assert any((one != other).any() for one, other in zip(folds, data.folds(3, seed=2), strict=True))
    with pytest.raises(HeadwayError, match="held_out = 1 is out of range; give a number from 2 on"):
        BoostedOptions(held_out=1)


@pytest.mark.parametrize("scheme", ["additive", "adaboost-m1", "adaboost-m2", "logistic-loss"])
@pytest.mark.parametrize("keep", ["last", "best", "ensemble"])
def test_an_interrupted_training_ends_as_if_it_had_not_been(treebank, dev, scheme, keep, tmp_path):
    options = {"boosting": scheme, "keep": keep, "rounds": 3, "dynamic": False, "features": "local"}
    short = treebank[:30]
    whole = trained(short, dev, **options)
    path = tmp_path / "m.headway.checkpoint"
    for _ in loop_for(short, dev, checkpoint=path, **options):
        break
    assert path.exists()
    resumed = trained(short, dev, checkpoint=path, **options)
    checkpoints.remove(path)
    assert not path.exists()
    assert timeless(resumed) == timeless(whole)
    assert saved(resumed.best, tmp_path / "a") == saved(whole.best, tmp_path / "b")


def timeless(loop):
    """What the steps of a training came to, however long they took, and the score that counts."""
    return [(replace(step, seconds=0.0), step.dev and step.dev.main) for step in loop.history]


def saved(stage, path):
    Parser([stage]).save(path)
    return path.read_bytes()


def test_a_training_that_has_nothing_left_to_learn_does_not_go_on(treebank, tmp_path):
    """The first round gets every pair right, so that the second has nothing to weight."""
    short, path = treebank[:2], tmp_path / "checkpoint"
    options = {"rounds": 3, "options": {"strength": 0.1}}
    whole = trained(short, **options)
    assert [step.told["pairs wrong"] for step in whole.history] == [0]
    for _ in loop_for(short, checkpoint=path, **options):
        break
    resumed = trained(short, checkpoint=path, **options)
    assert timeless(resumed) == timeless(whole)
    assert saved(resumed.best, tmp_path / "a") == saved(whole.best, tmp_path / "b")


def test_a_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    short, path = treebank[:20], tmp_path / "m.checkpoint"
    for _ in loop_for(short, checkpoint=path):
        break
    with pytest.raises(HeadwayError, match="checkpoint is of another training"):
        trained(short, checkpoint=path, constant=3.0)
    words = {"parser": "boosted", **QUICK, "constant": 3.0, "output": tmp_path / "m"}
    with pytest.raises(HeadwayError, match="checkpoint is of another training"):
        headway.train(short, **words)
    assert headway.train(short, **words, resume=False, rounds=1).about["passes"] == 1
    assert not path.exists()


def test_what_is_kept(treebank, dev):
    best = trained(treebank, dev, options={"strength": 4.0})
    top = max(best.history, key=lambda step: step.dev.main)
    assert las(best.best, dev) == pytest.approx(top.dev.main)
    assert uas(best.best, dev) == pytest.approx(top.dev.scores["UAS"])
    assert best.best.about["passes"] == top.number
    both = trained(treebank, dev, keep="ensemble", rounds=2, options={"strength": 4.0})
    assert uas(both.best, dev) == pytest.approx(both.history[-1].dev.scores["UAS"])
    with pytest.raises(HeadwayError, match="the best round is found on a development treebank"):
        headway.train(treebank, parser="boosted", keep="best")
    with pytest.raises(HeadwayError, match="the best round is found on a development treebank"):
        headway.train(treebank, BoostedOptions(keep="best"))
    with pytest.raises(HeadwayError, match="unknown choice of rounds 'all'; known are: best, ensemble, last, vote"):
        BoostedOptions(keep="all")


@pytest.mark.parametrize(
    ("boosting", "without_dev", "with_dev"),
    [
        ("additive", "last", "best"),
        (Additive(constant=0.5), "last", "best"),
        ("adaboost-m1", "ensemble", "ensemble"),
        ("adaboost-m2", "ensemble", "ensemble"),
        ("logistic-loss", "ensemble", "ensemble"),
    ],
    ids=str,
)
def test_rounds_of_the_additive_scheme_stand_for_themselves(boosting, without_dev, with_dev):
    options = BoostedOptions(boosting=boosting)
    assert options.kept == without_dev
    assert options.with_dev().kept == with_dev
    assert all(replace(options, keep=keep).with_dev().kept == keep for keep in ("last", "best", "ensemble"))


def test_rounds_end_when_dev_gets_no_better(treebank, dev):
    scores = [step.dev.main for step in trained(treebank, dev, keep="last", rounds=8).history]
    worse = next(number for number in range(1, 8) if scores[number] <= max(scores[:number]))
    done = trained(treebank, dev, patience=1, rounds=8)
    assert [step.dev.main for step in done.history] == scores[: worse + 1]
    assert done.best.about["passes"] == worse


def test_options_are_tuned_on_dev(treebank, dev):
    options = BoostedOptions(**QUICK, rounds=1, dynamic=False)
    data, judges = batches(treebank[:30]), batches(dev)
    scores = {
        strength: TrainingLoop(replace(options, options={"strength": strength}), data, dev=judges)
        .run()
        .about["dev"]["LAS"]
        for strength in (0.5, 1.0, 2.0, 4.0)
    }
    found = tuned(options, data, judges, ["strength", "cutoff"], patience=1)
    assert found.options == {"strength": max(scores, key=scores.__getitem__)}
    assert found.cutoff in (1, 2, 3)
    assert replace(found, options={}, cutoff=1) == options
    assert [one.boosting for one in attempts(options, "boosting")] == [
        "additive",
        "adaboost-m1",
        "adaboost-m2",
        "logistic-loss",
    ]
    with pytest.raises(HeadwayError, match="'rounds' cannot be chosen on dev; known are: boosting, cutoff, dynamic, "):
        attempts(options, "rounds")


@pytest.mark.parametrize("dynamic", [False, True])
def test_no_feature_is_learned_by_two_parts(treebank, dynamic):
    model = trained(treebank, rounds=1, dynamic=dynamic).best.linker.model
    features = np.repeat(model.keys, np.diff(model.start))
    assert len({*zip(features.tolist(), model.classes.tolist(), strict=True)}) == len(features)


def test_an_ensemble_of_one_round_is_that_round(treebank):
    last, ensemble = (trained(treebank, rounds=1, keep=keep).best.linker.model for keep in ("last", "ensemble"))
    for one, other in zip(last.packed("m").values(), ensemble.packed("m").values(), strict=True):
        assert np.array_equal(one, other)


def test_treebanks_with_one_word_or_one_label():
    sentences = [Sentence(forms=["Go"], heads=[0], deprels=["root"], upos=["VERB"])] * 3
    parser = trained(sentences, rounds=1, features="local").best
    assert [s.heads.tolist() for s in parsed(parser, sentences)] == [[0]] * 3


def test_unknown_words_and_tags_are_parsed(four):
    strange = [Sentence(forms=list("abcd"), upos=list("WXYZ"), xpos=list("WXYZ"))]
    [found] = parsed(four.best, strange)
    assert is_tree(found.heads)


@pytest.mark.parametrize(
    ("coarse", "fine", "taken"),
    [(3, 9, "UPOS"), (1, 9, "XPOS"), (MOST_TAGS + 1, 9, "XPOS"), (1, MOST_TAGS + 1, "UPOS"), (99, 1, "XPOS")],
)
def test_parts_go_by_the_first_tags_that_say_something(coarse, fine, taken):
    words = range(120)
    columns = {name: [f"t{word % size}" for word in words] for name, size in (("upos", coarse), ("xpos", fine))}
    sentence = Sentence(forms=["w"] * 120, heads=list(words), deprels=["d"] * 120, **columns)
    assert shape_for(BoostedOptions(), batches([sentence])).tag == taken


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
    for sentence in parsed(done.best, turned[:10]):
        assert is_tree(sentence.heads)
    assert done.history[0].told["train UAS (ud)"] > 90


def test_models_with_the_dynamic_features_of_before_are_refused(treebank):
    for dynamic in (True, False):
        parser = trained(treebank, rounds=1, dynamic=dynamic).best
        header, arrays = parser.pack()
        old = Packed({name: value for name, value in header.items() if name != "version"}, arrays)
        if dynamic:
            with pytest.raises(HeadwayError, match="m: another version of headway has other dynamic features; train"):
                BoostedParser.unpack(old, "m")
        else:
            assert BoostedParser.unpack(old, "m").linker.shape == parser.linker.shape


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
    Parser([four.best]).save(path)
    header, arrays = files.read(path)
    files.write(path, header, {**arrays, f"0/{name}": forge(np.array(arrays[f"0/{name}"]))})
    with pytest.raises(HeadwayError, match=rf"{name.partition('_')[0]}_.*; this is no model that headway wrote"):
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
