"""Feature models fitted to what a treebank has."""

import pytest

from headway import Sentence
from headway.features.language import parse
from headway.features.reduce import reduce_features

MODEL = parse("POS(STACK0)\nCPOS(STACK0)\nLEX(STACK0)\nPOS(STACK0) & LEX(STACK0)\nPOS(STACK0) & CPOS(STACK0)")


def batches(**columns):
    return [
        Sentence(forms=["a", "b", "c"], **columns).batch,
        Sentence(forms=["d"], **{k: v[:1] for k, v in columns.items()}).batch,
    ]


def reduced(model, **columns):
    features, notes = reduce_features(model, batches(**columns))
    return [str(feature) for feature in features], notes


def test_a_full_treebank_changes_nothing():
    features, notes = reduced(MODEL, xpos=["N", "V", "N"], upos=["X", "X", "Y"])
    assert features == [str(feature) for feature in MODEL]
    assert notes == []


@pytest.mark.parametrize(
    ("columns", "kept", "lost"),
    [
        ({"xpos": ["N", "V", "N"]}, "XPOS", "UPOS"),
        ({"upos": ["N", "V", "N"]}, "UPOS", "XPOS"),
        ({"upos": ["N", "V", "N"], "xpos": ["T", "T", "T"]}, "UPOS", "XPOS"),
    ],
)
def test_one_tag_takes_the_place_of_the_other(columns, kept, lost):
    features, notes = reduced(MODEL, **columns)
    assert features == [f"{kept}(STACK0)", "FORM(STACK0)", f"{kept}(STACK0) & FORM(STACK0)"]
    assert notes == [f"{lost} is empty or constant; {kept} takes its place"]


def test_the_other_tag_is_found_even_where_the_model_does_not_ask_for_it():
    features, notes = reduced(parse("POS(STACK0)"), upos=["N", "V", "N"])
    assert features == ["UPOS(STACK0)"]
    assert notes == ["XPOS is empty or constant; UPOS takes its place"]


def test_of_two_equal_tags_one_is_used():
    features, notes = reduced(MODEL, xpos=["N", "V", "N"], upos=["N", "V", "N"])
    assert features == ["XPOS(STACK0)", "FORM(STACK0)", "XPOS(STACK0) & FORM(STACK0)"]
    assert notes == ["UPOS and XPOS are the same; one is used"]


def test_without_any_tags_the_terms_go_and_the_rest_stays():
    features, notes = reduced(MODEL)
    assert features == ["FORM(STACK0)"]
    assert notes == ["UPOS is empty or constant and was left out", "XPOS is empty or constant and was left out"]


def test_parts_go_with_their_column():
    model = parse(
        "FEAT(STACK0) & LEX(STACK0)\nFEATS:Case(STACK0)\nFEATS(STACK0)\nSUFFIX2(STACK0)\nLEMMA(STACK0) & DEP(STACK0)"
    )
    features, notes = reduced(model)
    assert features == ["FORM(STACK0)", "SUFFIX2(STACK0)", "DEP(STACK0)"]
    assert notes == ["FEATS is empty or constant and was left out", "LEMMA is empty or constant and was left out"]
    features, notes = reduced(model, feats=["_", "Case=Nom", "_"], lemmas=["x", "y", "z"])
    assert features == [str(feature) for feature in model]
    assert notes == []


def test_features_that_become_the_same_count_once():
    model = parse("POS(STACK0) & LEX(QUEUE0)\nLEX(QUEUE0) & CPOS(STACK0)")
    assert reduced(model, xpos=["N", "V", "N"])[0] == ["XPOS(STACK0) & FORM(QUEUE0)"]


def test_what_does_not_come_from_columns_stays():
    model = parse("DISTANCE(STACK0, QUEUE0)\nLEFT(STACK0)\nDEP(STACK0)")
    assert reduced(model) == ([str(feature) for feature in model], [])


def test_where_nothing_would_be_left_all_stays():
    assert reduce_features(MODEL, [Sentence(forms=["a"]).batch]) == (MODEL, [])
    assert reduce_features(MODEL, []) == (MODEL, [])
