import pytest

from headway.base.errors import HeadwayError
from headway.features.language import parse
from headway.features.pairs import as_arcs, as_configurations
from headway.features.registry import feature_model


def said(features):
    return {frozenset(feature.terms) for feature in features}


def test_the_model_of_a_paper_is_the_same_for_pairs_and_for_arcs():
    assert said(feature_model("mst-pairs as arcs")) == said(feature_model("mst"))
    assert len(feature_model("mst-pairs as arcs")) == len(feature_model("mst"))


@pytest.mark.parametrize("name", ["local", "local+between", "mst-pairs", "local-default"])
def test_our_models_say_the_same_of_both_words(name):
    arcs = [feature for feature in feature_model(f"{name} as arcs") if "LABEL" not in str(feature)]
    assert len(arcs) == len(feature_model(name))


def test_arcs_have_a_direction_and_labels_no_distance():
    found = parse("LEX(FIRST) & POS(SECOND fw)\nPOS(FIRST) & DISTANCE(FIRST, SECOND)")
    assert [str(feature) for feature in as_arcs(found)] == [
        "FORM(PARENT) & XPOS(CHILD fw) & SIDE(PARENT, CHILD)",
        "FORM(CHILD) & XPOS(PARENT fw) & SIDE(PARENT, CHILD)",
        "XPOS(PARENT) & DISTANCE(PARENT, CHILD) & SIDE(PARENT, CHILD)",
        "XPOS(CHILD) & DISTANCE(PARENT, CHILD) & SIDE(PARENT, CHILD)",
        "FORM(PARENT) & XPOS(CHILD fw) & SIDE(PARENT, CHILD) & LABEL(CHILD)",
        "FORM(CHILD) & XPOS(PARENT fw) & SIDE(PARENT, CHILD) & LABEL(CHILD)",
    ]
    assert [str(feature) for feature in as_configurations(found)] == [
        "FORM(STACK0) & XPOS(QUEUE0 fw)",
        "XPOS(STACK0) & DISTANCE(STACK0, QUEUE0)",
    ]


def test_configurations_do_not_see_what_stands_in_between():
    every, some = feature_model("local+between"), feature_model("local+between as configurations")
    assert len(every) - len(some) == sum("BETWEEN" in str(feature) for feature in every) == 1


def test_only_models_of_pairs_are_translated():
    with pytest.raises(HeadwayError, match="expected FIRST and SECOND, got CHILD; name a model of pairs"):
        feature_model("mst as configurations")
    with pytest.raises(HeadwayError, match="'local as trees' is neither a feature model"):
        feature_model("local as trees")
