"""Explanations of segmenters: contributions add up to what the kernel says, names say what was hashed."""

import json

import numpy as np
import pytest
import segmented_texts as texts
from hypothesis import given, settings

import headway
from headway import HeadwayError
from headway.data.sentence import views
from headway.features.language import parse
from headway.features.sequences import compile_characters
from headway.kernels.text.characters import ATTRIBUTE_KINDS, describe_places
from headway.stages.explanation.contract import ExplainsText
from headway.stages.explanation.page import explanation_page
from headway.text.segmenter import INSIDE, SENTENCE
from headway.text.segmenter.characters import Stretches, codes_of
from headway.text.segmenter.explaining import CLOSEST, NAMES, PLAIN, PlaceNames
from headway.text.segmenter.spaces import surface_tokens

STORY = (
    'Mr. Smith  doesn\'t bark (much). They never "sleep"!  \n\n\tU.S. cats ate 3.5 pies.He left\n'
    "at 5 p.m. yesterday\n\nYes"
)


@pytest.fixture(scope="module")
def segmenter():
    return texts.segmenter()


@pytest.fixture(scope="module")
def told(segmenter):
    return list(segmenter.explain_text(STORY))


def test_contributions_add_up_to_the_margins_of_the_kernel(segmenter, told):
    assert isinstance(segmenter, ExplainsText)
    pieces = [piece.strip() for piece in STORY.split("\n\n")]
    begins = [STORY.index(piece) for piece in pieces]
    ends = [begin + len(piece) for begin, piece in zip(begins, pieces, strict=True)]
    _, positions = segmenter.positions(Stretches.of(codes_of(STORY), begins, ends))
    chosen, rivals, margins = segmenter.weights.margins(segmenter.templates.sequence, segmenter.choices, positions)
    assert (
        chosen.tolist() == segmenter.weights.decide(segmenter.templates.sequence, segmenter.choices, positions).tolist()
    )
    decisions = [decision for explanation in told for decision in explanation.decisions]
    assert len(decisions) == len(chosen)
    for at, decision in enumerate(decisions):
        assert decision.what.endswith(f": {NAMES[int(chosen[at])]}")
        for rows in (decision.reasons(), decision.groups(), decision.features()):
            assert sum(row.chosen for row in rows) == pytest.approx(decision.score, abs=1e-4)
        assert decision.in_words.startswith("at “") and NAMES[int(chosen[at])] in decision.in_words
        if rivals[at, 0] < 0:
            assert decision.margin is None and decision.is_usual
        else:
            assert decision.margin == pytest.approx(float(margins[at, 0]), abs=1e-4)
            assert decision.over == NAMES[int(rivals[at, 0])]


def test_each_token_has_the_places_up_to_its_end(segmenter, told):
    sentences = list(views(segmenter.segment(STORY)))
    assert [str(one.sentence) for one in told] == [str(one) for one in sentences]
    for explanation, sentence in zip(told, sentences, strict=True):
        ends = [one for one in explanation.decisions if not one.what.endswith(NAMES[INSIDE])]
        tokens = [form for form, _, _ in surface_tokens(sentence)]
        assert [one.what.endswith(NAMES[SENTENCE]) for one in ends] == [False] * (len(ends) - 1) + [True]
        for one, token in zip(ends, tokens, strict=True):
            assert explanation.of(one.word)[-1] is one
            assert one.what.partition("|")[0].endswith(token) and token.startswith(sentence.forms[one.word - 1])
    assert told[0].sentence.forms[2:4] == ["does", "n't"]
    assert told[0].of(4) == [] and "ask for the first word of its token" in told[0].text(word=4)


@settings(max_examples=30)
@given(texts.text)
def test_any_text_can_be_explained(text):
    found = list(texts.segmenter().explain_text(text))
    assert [str(one.sentence) for one in found] == [str(one) for one in views(texts.segmenter().segment(text))]
    for decision in (decision for one in found for decision in one.decisions):
        differences = [reason.difference for reason in decision.reasons()]
        assert decision.margin is None or sum(differences) == pytest.approx(decision.margin, abs=1e-4)


def test_usual_decisions_are_told_of_where_somebody_asks(told):
    first = told[0]
    shown = [one for one in first.decisions if not one.is_usual]
    assert len(shown) < len(first.decisions) and str(first).count(": score ") == len(shown)
    assert f"not shown: {len(first.decisions) - len(shown)} usual decision" in str(first)
    closest = sorted((one for one in first.decisions if one.margin is not None), key=lambda one: one.margin)
    assert not any(one.is_usual for one in closest[:CLOSEST])
    assert len(first.to_dict()["decisions"]) == len(first.decisions)
    assert first.text(word=1).count(": score ") == len(first.of(1))


def test_names_are_the_same_where_keys_are():
    text = f"{STORY} aß-B... ÀÉ_x 漢字かなカナ « NATO's » a·b ½ (é) İs ABCdE {'x' * 30} ABCDe".replace("\n", " ")
    text = " ".join(text.split())
    asked = [f"{name}({place}{offset:+})" for name, place in ATTRIBUTE_KINDS for offset in (-1, 0, 1)]
    features = parse("\n".join(asked))
    found = Stretches.of(codes_of(text), [0], [len(text)])
    places = np.arange(1, len(text) + 1, dtype=np.int32)
    places = np.ascontiguousarray(places[found.classes[places - 1] != 1])
    columns = compile_characters(features).columns
    keys = np.empty((len(places), len(columns)), np.uint64)
    start = np.array([0, len(places)], np.int32)
    describe_places(found.codes, found.lower, found.classes, found.offsets, start, places, columns, keys)
    names = PlaceNames(found)
    for feature, column in zip(features, keys.T.tolist(), strict=True):
        [term] = feature.terms
        if term.attribute in PLAIN:
            continue
        pairs = {
            (key, names.value(term, place)) for key, place in zip(column, places.tolist(), strict=True) if key != 0
        }
        assert len(pairs) == len({key for key, _ in pairs}) == len({name for _, name in pairs}), str(feature)


def test_names_have_the_characters_around(told):
    [stop] = [one for one in told[0].decisions if one.what.startswith("Mr.| Smith: ")]
    names = {stop.name(at) for at in range(len(stop.given))}
    assert "SPACE(CHAR) & TAIL(CHUNK)=. & CORE(CHUNK)=Mr" in names
    assert "SPACE(CHAR) & TAIL(CHUNK)=. & CASE(CHUNK+1)=Xx" in names
    [inside] = [one for one in told[0].decisions if one.what.startswith("Mr|.: ")]
    assert "INSIDE(CHAR) & FORM(CHAR)=r & FORM(CHAR+1)=." in {inside.name(at) for at in range(len(inside.given))}


def test_the_command_and_the_parser_explain_text(segmenter, tmp_path, run):
    parser = headway.Parser([segmenter])
    parser.save(tmp_path / "model")
    (tmp_path / "story.txt").write_text(STORY)
    ask = ("explain", tmp_path / "model", tmp_path / "story.txt")
    explanations = list(parser.explain_text(STORY))
    assert run(*ask).stdout == f"{explanations[0]}\n"
    assert run(*ask, "--sentence", "2", "--word", "1").stdout == f"{explanations[1].text(word=1)}\n"
    assert json.loads(run(*ask, "--json").stdout)["decisions"][0]["kind"] == "cut"
    assert "there is no sentence 99" in run(*ask, "--sentence", "99").stderr
    headway.write([headway.Sentence(["Dogs", "bark"])], tmp_path / "words.conllu")
    refused = run(*ask[:2], tmp_path / "words.conllu")
    assert refused.exit_code and "whose tokens are known; give text" in refused.stderr
    with pytest.raises(HeadwayError, match="give the text to explain_text"):
        parser.explain(headway.Sentence(["Dogs", "bark"]))


def test_a_page_without_trees_lists_the_decisions(told):
    shown = [one for one in told[0].decisions if not one.is_usual]
    assert explanation_page(told[:1]).count("<li>") == len(shown) > 0 == explanation_page(told[:1]).count("<svg")
