"""Confidences of taggers: in Python, in files, through the model file; and confidences that are out of date."""

import json
import re

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate

TAGGER = {"passes": 1, "parser": "tagger"}
PIPELINE = {"pipeline": True, "without": "segmenter,lemmatizer", "passes": 1, "features": "malt-14"}


@pytest.fixture(scope="module")
def data():
    return list(generate(60, seed=1)), list(generate(80, seed=2))


@pytest.fixture(scope="module")
def tagger(data):
    return headway.train(data[0], dev=data[1], **TAGGER)


@pytest.fixture(scope="module")
def pipeline(data):
    return headway.train(data[0], dev=data[1], **PIPELINE)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.conllu"
    headway.write(generate(60, seed=3), path)
    return path


def test_tags_stay_and_their_confidences_are_probabilities(tagger, text, tmp_path):
    tagger.save(tmp_path / "tagger")
    again = headway.load(tmp_path / "tagger")
    plain, sure = (list(again.parse(text, confidence=flag)) for flag in (False, True))
    for one, other in zip(plain, sure, strict=True):
        assert (one.upos, one.xpos, one.feats) == (other.upos, other.xpos, other.feats)
        assert other.confidence.tree is None and "parse_confidence" not in other.metadata
        for word in other.confidence.words:
            assert word.arc is word.head_and_label is None and 0 < word.tags <= word.upos < 1
    assert re.search(r"UposConf=0\.\d{4}\|TagsConf=0\.\d{4}$", sure[0].misc[0])


def test_wrong_tags_are_less_sure(tagger, text):
    gold, found = list(headway.read(text)), list(tagger.parse(text, confidence=True))
    pairs = [
        (word.confidence.tags, (word.upos, word.xpos, word.feats) == (right.upos, right.xpos, right.feats))
        for one, other in zip(gold, found, strict=True)
        for right, word in zip(one, other, strict=True)
    ]
    chances, right = map(np.array, zip(*pairs, strict=True))
    assert 0.02 < 1 - right.mean() < 0.5
    assert chances[right].mean() > chances[~right].mean() + 0.1
    assert abs(chances.mean() - right.mean()) < 0.03


def test_a_pipeline_says_it_of_tags_and_trees(pipeline, text, tmp_path, run):
    first, tagger, parser = pipeline.stages
    assert first.calibrator is None and tagger.calibrator is not None and parser.calibrator is not None
    headway.write(pipeline.parse(text, confidence=True), tmp_path / "parsed.conllu")
    report = run("evaluate", str(text), str(tmp_path / "parsed.conllu"), "--json")
    named = {one["name"]: one for one in json.loads(report.output)["systems"][0]["confidence"]}
    assert list(named) == ["ArcConf", "LabelConf", "UposConf", "TagsConf"]
    gold, found = list(headway.read(text)), list(headway.read(tmp_path / "parsed.conllu"))
    upos = [a == b for one, other in zip(gold, found, strict=True) for a, b in zip(one.upos, other.upos, strict=True)]
    assert named["UposConf"]["right"] == pytest.approx(np.mean(upos)) and named["UposConf"]["words"] == len(upos)


def test_kept_tags_have_no_confidence(pipeline, text):
    found = next(pipeline.parse(text, confidence=True, keep="tags"))
    assert all(word.upos is word.tags is None and word.arc is not None for word in found.confidence.words)


def test_a_tagger_is_calibrated_later(data, text):
    plain = headway.train(data[0], **TAGGER)
    with pytest.raises(HeadwayError, match="not calibrated"):
        next(plain.parse(text, confidence=True))
    found = headway.calibrate(plain, data[1])
    assert next(found.parse(text, confidence=True)).confidence.words[0].upos


def test_a_beam_has_confidences_of_what_it_chose(data, text):
    beam = headway.train(data[0], dev=data[1], **TAGGER, decoder="beam", beam=3)
    plain, sure = (list(beam.parse(text, confidence=flag)) for flag in (False, True))
    assert [one.upos for one in plain] == [one.upos for one in sure] and sure[0].confidence.words[0].upos


def test_confidences_of_what_is_found_anew_go(pipeline, tagger, text):
    sure = list(pipeline.parse(text, confidence=True))
    assert list(map(str, pipeline.parse(sure))) == list(map(str, pipeline.parse(text)))
    tagged = next(tagger.parse(sure[:1]))
    assert "parse_confidence" in tagged.metadata and tagged.misc[0].startswith("ArcConf=")
    assert not any("UposConf" in cell or "TagsConf" in cell for cell in tagged.misc)
    kept = next(pipeline.parse(sure[:1], keep="tags"))
    assert "parse_confidence" not in kept.metadata and "UposConf" in kept.misc[0] and "ArcConf" not in kept.misc[0]
    assert kept.comments == str(kept).split("\n")[: len(kept.comments)]
