"""Searches for features of taggers, lemmatizers and segmenters."""

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.formats.writing import running_text
from headway.data.sample import generate
from headway.discovery.discover import discovery_from
from headway.discovery.options import FAMILIES
from headway.discovery.report import write_report
from headway.discovery.right_counts import _spans_found
from headway.discovery.successors import successors
from headway.features.language import parse
from headway.runs.engines import engine_from
from headway.runs.journal import JOURNAL

TRAIN, DEV = list(generate(60, seed=1)), list(generate(20, seed=2))
QUICK = {"generations": 2, "beam": 1, "passes": 1, "race": False}
LOOKED_AT = {"tagger": "SUFFIX2,KNOWN,UPOS", "lemmatizer": "SUFFIX2,UPOS", "segmenter": "FORM,SPACE,CUT"}


def searched(family, output, **options):
    how = {**QUICK, "attributes": LOOKED_AT[family], **options}
    found = discovery_from(TRAIN, output=output, dev=DEV, parser=family, **how)
    with ThreadPoolExecutor(1) as threads:
        for _ in found.run(engine_from(threads, 1)):
            pass
    found.save()
    return found


def share_of_cells(names, found):
    pairs = list(zip(DEV, found, strict=True))
    right = [
        all(getattr(gold, name)[at] == getattr(one, name)[at] for name in names)
        for gold, one in pairs
        for at in range(len(gold))
    ]
    return 100 * sum(right) / len(right)


@pytest.mark.parametrize(
    ("family", "columns"),
    [
        ("tagger", {"UPOS": ["upos"], "AllTags": ["upos", "xpos", "feats"]}),
        ("lemmatizer", {"Lemmas": ["lemmas"]}),
    ],
)
def test_a_score_is_that_of_the_stage_that_is_trained_with_the_features(family, columns, tmp_path):
    found = searched(family, tmp_path / "found.features")
    best = found.best
    stage = headway.train(TRAIN, parser=family, features=str(found.output), passes=1)
    parsed = [stage.parse(sentence) for sentence in DEV]
    expected = {name: share_of_cells(cells, parsed) for name, cells in columns.items()}
    assert best.scores == pytest.approx(expected)
    first, last = found.history[0].beam[0], found.history[-1].beam[0]
    assert last.score(found.setting.metric) >= first.score(found.setting.metric)


def tokens_and_sentences(sentences):
    """Spans of tokens and of sentences, counted in characters that are no spaces."""
    tokens, whole, at = [], [], 0
    for sentence in sentences:
        begin = at
        for token in written(sentence):
            size = len("".join(token.split()))
            tokens.append((at, at + size))
            at += size
        whole.append((begin, at))
    return tokens, whole


def written(sentence):
    """The tokens of a sentence; a multiword token is one."""
    ranges = {}
    for line in str(sentence).splitlines():
        cells = line.split("\t")
        if "-" in cells[0] and len(cells) == 10:
            first, last = cells[0].split("-")
            ranges[int(first)] = (int(last), cells[1])
    at, found = 1, []
    while at <= len(sentence):
        last, form = ranges.get(at, (at, sentence.forms[at - 1]))
        found.append(form)
        at = last + 1
    return found


def test_tokens_of_a_segmenter_are_counted_by_their_spans(tmp_path):
    found = searched("segmenter", tmp_path / "found.features", generations=3)
    best = found.best
    segmenter = headway.train(TRAIN, parser="segmenter", features=str(found.output), passes=1)
    (tmp_path / "dev.txt").write_text("".join(running_text(DEV)))
    cut = list(segmenter.parse(tmp_path / "dev.txt"))
    (tokens, sentences), (their_tokens, their_sentences) = tokens_and_sentences(DEV), tokens_and_sentences(cut)
    right = [token for token in tokens if token in set(their_tokens)]
    whole = [one for one in sentences if one in set(their_sentences)]
    inside = [token for token in right if any(begin <= token[0] and token[1] <= end for begin, end in whole)]
    assert best.scores["Tokens"] == pytest.approx(100 * len(right) / len(tokens))
    assert best.scores["Segments"] == pytest.approx(100 * len(inside) / len(tokens))
    assert best.scores["Tokens"] > 80


@pytest.mark.parametrize("seed", range(20))
def test_stretches_that_are_found(seed):
    chance = Random(seed)
    wanted, found = (np.array([chance.random() < 0.4 for _ in range(30)]) for _ in range(2))
    wanted[-1] = found[-1] = True

    def spans(ends):
        stops = np.flatnonzero(ends).tolist()
        return list(zip([-1, *stops], stops, strict=False))

    assert _spans_found(wanted, found).tolist() == [span in spans(found) for span in spans(wanted)]


def test_what_is_decided_is_known_of_earlier_words_only():
    found = {str(one) for one in successors(parse("SUFFIX2(WORD)"), ["SUFFIX2", "UPOS"], FAMILIES["tagger"])}
    assert found == {"SUFFIX2(WORD-1)", "SUFFIX2(WORD+1)", "UPOS(WORD-1)"}
    further = {str(one) for one in successors(parse("UPOS(WORD-1)"), ["UPOS"], FAMILIES["tagger"])}
    assert further == {"UPOS(WORD-2)"}
    of_lemmas = {str(one) for one in successors([], ["SUFFIX2", "UPOS"], FAMILIES["lemmatizer"])}
    assert of_lemmas == {"SUFFIX2(WORD)", "UPOS(WORD)"}


def test_characters_and_what_stands_between_spaces():
    names = ["FORM", "CUT", "TAIL"]
    found = {str(one) for one in successors(parse("FORM(CHAR)"), names, FAMILIES["segmenter"])}
    assert found == {"FORM(CHAR-1)", "CUT(CHAR-1)", "FORM(CHAR+1)", "FORM(CHUNK)", "TAIL(CHUNK)"}
    beside = {str(one) for one in successors(parse("TAIL(CHUNK)"), names, FAMILIES["segmenter"])}
    assert beside == {"FORM(CHUNK)", *(f"{name}(CHUNK{at})" for name in ("FORM", "TAIL") for at in ("-1", "+1"))}


def test_the_report_names_the_scores_of_the_family(tmp_path):
    found = searched("tagger", tmp_path / "found.features", generations=1, metric="UPOS")
    write_report(found.folder)
    text = (found.folder / "report.md").read_text()
    assert "dev UPOS" in text
    assert "dev AllTags" in text
    assert "LAS" not in text
    measured = [json.loads(line) for line in (found.folder / JOURNAL).read_text().splitlines()]
    assert all({"upos", "alltags"} <= {*one} for one in measured if one["kind"] == "measure")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parser": "tagger", "metric": "LAS"}, "no LAS of a tagger stage can be improved; known are: AllTags, UPOS"),
        ({"parser": "tagger", "system": "swap"}, "system = 'swap': a tagger stage has none; leave it out"),
        ({"parser": "lemmatizer", "two_step": False}, "two_step = False: a lemmatizer stage has none; leave it out"),
        (
            {"parser": "segmenter", "punctuation": False},
            "punctuation = False: a segmenter stage has none; leave it out",
        ),
        ({"parser": "segmenter", "paper": True}, "paper = True: a segmenter stage has none; leave it out"),
    ],
)
def test_mistakes(options, message, tmp_path):
    with pytest.raises(HeadwayError, match=message):
        discovery_from(TRAIN, output=tmp_path / "found", **options)
