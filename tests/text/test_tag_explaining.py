"""Explanations of taggers: contributions add up to what the kernel says, names say what was hashed."""

import json

import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.naming import shape
from headway.kernels.text.encode import key_of
from headway.stages.explanation.contract import Explains
from headway.text.tagger.batch_words import word_keys

HOW = {
    "default": {"parser": "tagger", "passes": 2},
    "after a first tagger": {"parser": "tagger", "stages": "pretagger", "passes": 1, "folds": 2},
    "beam": {"parser": "tagger", "passes": 1, "decoder": "beam"},
    "whole": {"parser": "tagger", "passes": 1, "parts": False, "gives": "UPOS,FEATS"},
}


@pytest.fixture(scope="module")
def taggers():
    return {name: headway.train(list(generate(60, seed=1)), **how) for name, how in HOW.items()}


@pytest.mark.parametrize("name", HOW)
def test_contributions_add_up_to_the_margins_of_the_kernel(name, taggers):
    parser = taggers[name]
    *before, last = parser.stages
    assert isinstance(last, Explains)
    for sentence in generate(5, seed=4):
        found = parser.explain(sentence)
        batch = next(iter(batches_of([sentence])))
        for stage in before:
            batch = stage.annotate(batch)
        chosen, rivals, margins = last.margins(last.positions(batch))
        assert len(found.decisions) == len(sentence)
        for word, decision in enumerate(found.decisions, 1):
            assert decision.word == word and found.of(word) == [decision]
            assert decision.what.endswith(" ".join(last.analyses.rows[chosen[word - 1]]))
            assert decision.given.sum() == pytest.approx(decision.score, abs=1e-4)
            for rows in (decision.groups(), decision.features()):
                assert sum(row.chosen for row in rows) == pytest.approx(decision.score, abs=1e-4)
                assert sum(row.rival for row in rows) == pytest.approx(decision.rival_score or 0.0, abs=1e-4)
            assert decision.in_words.startswith(f"*{sentence.forms[word - 1]}")
            if rivals[word - 1, 0] < 0:
                assert decision.margin is None and decision.over is None
            else:
                assert decision.margin == pytest.approx(margins[word - 1, 0], abs=1e-4)
                assert decision.over == " ".join(last.analyses.rows[rivals[word - 1, 0]])


def test_names_have_the_words_of_the_sentence(taggers):
    decision = taggers["default"].explain(headway.Sentence(["The", "dogs", "bark"])).of(2)[0]
    names = {reason.feature for reason in decision.reasons()}
    assert {"SUFFIX1(WORD)=s", "LOWER(WORD-1)=the", "UPOS(WORD-1)=DET"} <= names
    assert any(name.startswith("LOWERKNOWN(WORD)=") for name in names)
    # "dogs" is new, so its end tells what it may agree in
    assert any(name.startswith("AGREES(WORD)=_,Plur,_/") for name in names)


def test_words_of_the_treebank_agree_in_what_they_had(taggers):
    had = {}
    for sentence in generate(60, seed=1):
        for token in sentence:
            had.setdefault(token.form.lower(), set()).add(token.feats)
    word = next(form for form, feats in had.items() if feats == {"Number=Plur"})
    decision = taggers["default"].explain(headway.Sentence(["The", word, "bark"])).of(2)[0]
    names = [reason.feature for reason in decision.reasons() if reason.feature.startswith("AGREES(WORD)=")]
    assert names and {name.partition(" & ")[0] for name in names} == {"AGREES(WORD)=_,Plur,_"}


def test_the_shape_of_a_name_is_what_is_hashed(taggers):
    forms = ["Dogs", "USA", "x-ray", "McDonald's", "1999", "漢字かな", "ÄÖü", "..."]
    [batch] = batches_of([headway.Sentence(forms)])
    keys, _ = word_keys(("SHAPE",), batch, taggers["default"].stages[-1].knowledge, 1, False)
    assert keys[:, 0].tolist() == [key_of(shape(form).encode("latin-1")) for form in forms]


def test_the_command_explains_a_sentence_without_a_tree(taggers, tmp_path, run):
    taggers["default"].save(tmp_path / "tagger")
    headway.write([headway.Sentence(["Dogs", "bark", "."])], tmp_path / "text.conllu")
    shown = run("explain", str(tmp_path / "tagger"), str(tmp_path / "text.conllu"), "--word", "2")
    assert shown.exit_code == 0 and "\n\nbark (2): " in shown.output
    told = run("explain", str(tmp_path / "tagger"), str(tmp_path / "text.conllu"), "--json")
    assert json.loads(told.output)["heads"] is None
