"""Confidences of parsers of every family: in Python, in files, through the model file."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import sentences_of
from headway.stages.calibration.confidences import CALIBRATOR, Calibrator
from headway.training import calibrating
from headway.training.loop import TrainingLoop

FAMILIES = {
    "transition": {"passes": 1, "features": "malt-14"},
    "swap": {"system": "swap", "passes": 1, "features": "malt-14", "two_step": True},
    "several roots": {"system": "arc-standard", "passes": 1, "features": "malt-14", "single_root": False},
    "cw": {"learner": "cw", "passes": 1, "features": "malt-14"},
    "kernel": {"learner": "kernel-svm", "features": "malt-14"},
    "graph": {"parser": "graph", "passes": 1, "bits": 16, "label_bits": 14},
    "spanning": {
        "parser": "graph",
        "passes": 1,
        "decoder": "chu-liu-edmonds",
        "order": 1,
        "labels": "joint",
        "bits": 16,
    },
    "boosted": {"parser": "boosted", "rounds": 1},
}
ADDED = re.compile(rb"\|?ArcConf=0\.\d{4}\|LabelConf=0\.\d{4}(?=\n)")


@pytest.fixture(scope="module")
def parsers():
    train, dev = list(generate(40, seed=1)), list(generate(60, seed=2))
    return {name: headway.train(train, dev=dev, **how) for name, how in FAMILIES.items()}


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.conllu"
    headway.write(generate(60, seed=3), path)
    return path


def without(rendered):
    """What was parsed with confidence, as if it had been parsed without."""
    kept = re.sub(rb"# parse_confidence = 0\.\d{4}\n", b"", rendered)
    return ADDED.sub(b"", kept).replace(b"\t\n", b"\t_\n")


@pytest.mark.parametrize("name", FAMILIES)
def test_trees_stay_and_confidences_are_probabilities(name, parsers, text):
    parser = parsers[name]
    plain, sure = (b"".join(parser.parse_bytes(text, confidence=flag)) for flag in (False, True))
    assert sure != plain
    assert without(sure) == plain
    assert b"".join(parser.parse_bytes(text, threads=3, confidence=True)) == sure
    for sentence in parser.parse(text, confidence=True):
        words, tree = sentence.confidence
        assert len(words) == len(sentence) and 0 < tree < 1
        assert all(0 < word.head_and_label <= word.arc < 1 for word in words)
        assert sentence[0].confidence == words[0]


@pytest.mark.parametrize("name", FAMILIES)
def test_confidences_tell_errors(name, parsers, text):
    """Words that are right have higher confidences, on a treebank that neither parser nor calibrator has seen."""
    gold, found = list(headway.read(text)), list(parsers[name].parse(text, confidence=True))
    arcs = np.array([token.confidence.arc for sentence in found for token in sentence])
    right = np.concatenate([one.heads == other.heads for one, other in zip(gold, found, strict=True)])
    assert 0 < right.mean() < 1
    assert arcs[right].mean() > arcs[~right].mean() + 0.05
    assert arcs.mean() == pytest.approx(right.mean(), abs=0.1)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("boost", [0.0, 5.0])
def test_no_tree_is_surer_than_its_least_sure_word(name, boost, parsers, text):
    """Also where the calibrator thinks much of trees."""
    stage = parsers[name].stages[-1]
    sentences = replace(stage.calibrator.sentences, intercept=stage.calibrator.sentences.intercept + boost)
    parser = headway.Parser([stage.with_calibrator(replace(stage.calibrator, sentences=sentences))])
    for sentence in parser.parse(text, confidence=True):
        words, tree = sentence.confidence
        assert tree <= min(word.head_and_label for word in words)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_calibrator_is_kept_in_the_model(name, parsers, text, tmp_path):
    parser = parsers[name]
    parser.save(tmp_path / "model")
    again = headway.load(tmp_path / "model")
    expected = b"".join(parser.parse_bytes(text, confidence=True))
    assert b"".join(again.parse_bytes(text, confidence=True)) == expected
    assert b"".join(pickle.loads(pickle.dumps(parser)).parse_bytes(text, confidence=True)) == expected


def test_cross_validation_calibrates_without_dev(text):
    how = {"calibrate": "cross-validation", "folds": 2}
    parser = headway.train(generate(60, seed=1), passes=1, features="malt-14", **how)
    assert parser.stages[-1].calibrator.about["source"] == "cross-validation"
    assert parser.stages[-1].calibrator.about["sentences"] == 60
    assert next(parser.parse(text, confidence=True)).confidence.tree > 0
    same = headway.train(generate(60, seed=1), passes=1, features="malt-14", **how)
    assert same.stages[-1].calibrator.pack() == parser.stages[-1].calibrator.pack()


def test_cross_validation_holds_out_stretches_and_takes_the_level_from_dev(monkeypatch):
    """Neighbours are of one document; with dev, half of whose words have wrong heads, all confidences are lower."""
    seen = []
    monkeypatch.setattr(calibrating, "TrainingLoop", lambda *given: seen.append(given[1]) or TrainingLoop(*given))
    train, dev = list(generate(60, seed=1)), list(generate(40, seed=2))
    how = {"calibrate": "cross-validation", "folds": 2, "passes": 2, "features": "malt-14"}
    right = headway.train(train, dev=dev, **how)
    assert [[s.forms for s in sentences_of(data)] for data in seen] == [
        [s.forms for s in train[30:]],
        [s.forms for s in train[:30]],
    ]
    about = right.stages[-1].calibrator.about
    assert about["source"] == "cross-validation and dev" and about["sentences"] == 100
    wrong = [s if n % 2 else s.replace(heads=[0, *[1] * (len(s) - 1)]) for n, s in enumerate(dev)]
    less = headway.train(train, dev=wrong, **how)
    means = [
        np.mean([token.confidence.arc for s in parser.parse(generate(20, seed=3), confidence=True) for token in s])
        for parser in (right, less)
    ]
    assert means[1] < means[0] - 0.1


def test_a_model_without_calibrator_says_what_to_do(text, tmp_path, run):
    parser = headway.train(generate(60, seed=1), passes=1, features="malt-14")
    with pytest.raises(HeadwayError, match="not calibrated; give `headway calibrate` the model and a treebank"):
        next(parser.parse(text, confidence=True))
    parser.save(tmp_path / "model")
    assert run("parse", "--confidence", str(tmp_path / "model"), str(text)).exit_code != 0
    assert run("calibrate", str(tmp_path / "model"), str(text)).exit_code == 0
    written = run("parse", "--confidence", str(tmp_path / "model"), str(text))
    assert written.exit_code == 0 and "ArcConf=0." in written.output
    assert "calibrated on a treebank of its own" in run("info", str(tmp_path / "model")).output
    with pytest.raises(HeadwayError, match="needs a development treebank"):
        headway.train(generate(60, seed=1), passes=1, calibrate="dev")
    assert headway.train(generate(20), dev=generate(20), passes=1, calibrate="none").stages[-1].calibrator is None


def test_a_sentence_without_confidences_says_so(parsers):
    parser = parsers["transition"]
    sentence = parser(["Dogs", "bark"], tags=["NNS", "VBP"])
    with pytest.raises(HeadwayError, match="parse it with confidence=True"):
        _ = sentence.confidence
    sure = parser(["Dogs", "bark"], tags=["NNS", "VBP"], confidence=True)
    assert sure.metadata["parse_confidence"] == f"{sure.confidence.tree:.4f}"
    assert headway.from_conllu(str(sure))[0].confidence == sure.confidence
    assert pickle.loads(pickle.dumps(sure)).confidence == sure.confidence


def test_earlier_confidences_are_replaced_and_the_rest_of_misc_stays(parsers):
    parser = parsers["transition"]
    given = headway.Sentence(
        ["Dogs", "bark"],
        xpos=["NNS", "VBP"],
        misc=["SpaceAfter=No|ArcConf=0.1|LabelConf=0.1|Gloss=x", "_"],
        comments=["# sent_id = 1", "# parse_confidence = 0.1", "#parse_confidence=0.2", "# parse_confidences = 3"],
    )
    found = parser.parse(given, confidence=True)
    assert re.fullmatch(r"SpaceAfter=No\|Gloss=x\|ArcConf=0\.\d{4}\|LabelConf=0\.\d{4}", found.misc[0])
    assert found.comments[:2] == ["# sent_id = 1", "# parse_confidences = 3"]
    assert found.comments[2:] == [f"# parse_confidence = {found.confidence.tree:.4f}"]
    assert str(found).split("\n")[:3] == found.comments


def test_a_format_without_misc_is_refused(parsers, tmp_path):
    path = tmp_path / "text.conll"
    path.write_text("1\tDogs\t_\tNOUN\tNOUN\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(HeadwayError, match="no place for confidences and comments; make CoNLL-U of it"):
        list(parsers["transition"].parse_bytes(headway.read(path, format="conllx"), confidence=True, force=True))


def test_forged_calibrators_are_refused(parsers):
    packed = parsers["transition"].stages[-1].calibrator.pack()
    assert not list(CALIBRATOR.faults(packed, "calibrator"))
    arc = packed["words"]["arc"]
    for forged in (
        [],
        {**packed, "words": {}},
        {**packed, "sentences": 3},
        {**packed, "words": {"arc": {**arc, "intercept": None}}},
        {**packed, "words": {"arc": {**arc, "curves": {}}}},
        {**packed, "words": {"arc": {**arc, "effects": {"tag": ["x"]}}}},
        {**packed, "words": {"arc": {**arc, "places": {name: each[::-1] for name, each in arc["places"].items()}}}},
    ):
        assert list(CALIBRATOR.faults(forged, "calibrator"))
    assert Calibrator.unpack(packed).pack() == packed


def test_long_sentences_in_windows_have_confidences(parsers):
    [one] = generate(1, seed=5)
    words = [form for _ in range(6) for form in one.forms]
    tags = [tag for _ in range(6) for tag in one.upos]
    sentence = headway.Sentence(words, upos=tags)
    for name in ("graph", "boosted"):
        found = parsers[name].with_longest(20).parse(sentence, confidence=True)
        assert len(found.confidence.words) == len(words)
