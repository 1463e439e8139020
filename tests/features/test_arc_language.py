"""The part of the feature language that is about arcs."""

import pytest

from headway.base.errors import HeadwayError
from headway.features.arcs import compile_arcs, needs_tree
from headway.features.compile import compile_features
from headway.features.language import parse
from headway.features.registry import feature_model
from headway.features.vocabulary import ARC_ATTRIBUTES, ARC_PLACES
from headway.kernels.graph.labels import GROUPS, KIND_NUMBERS


def texts(text):
    return [str(feature) for feature in parse(text)]


def test_every_place_and_attribute_is_known_and_comes_back_as_it_was():
    for place in ARC_PLACES:
        assert texts(f"POS({place} pw pw), LEX({place})") == [f"XPOS({place} pw pw)", f"FORM({place})"]
    assert texts("SIDE(PARENT, CHILD), LABEL(CHILD)") == ["SIDE(PARENT, CHILD)", "LABEL(CHILD)"]
    assert set(ARC_ATTRIBUTES) == {"SIDE", "LABEL"}


def test_directed_adds_the_direction_and_the_direction_with_the_length():
    assert texts("directed(POS(PARENT) & POS(CHILD))") == [
        "XPOS(PARENT) & XPOS(CHILD) & SIDE(PARENT, CHILD)",
        "XPOS(PARENT) & XPOS(CHILD) & SIDE(PARENT, CHILD) & DISTANCE(PARENT, CHILD)",
    ]


def test_with_siblings_the_length_is_that_between_them():
    assert texts("directed(POS(SIBLING))")[1] == "XPOS(SIBLING) & SIDE(PARENT, CHILD) & DISTANCE(SIBLING, CHILD)"


def test_labelled_features_and_lists_in_lists():
    assert texts("words = LEX(CHILD),\n  LEX(PARENT)\nlabelled(words, pairs(words))") == [
        "FORM(CHILD) & LABEL(CHILD)",
        "FORM(PARENT) & LABEL(CHILD)",
        "FORM(CHILD) & FORM(PARENT) & LABEL(CHILD)",
    ]
    assert len(texts("directed(\n  POS(CHILD),\n  pairs(POS(CHILD), POS(PARENT))\n)")) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("POS(HEAD)", r"m:1: column 5: unknown place 'HEAD'; known are: .* PARENT, CHILD, SIBLING, BETWEEN"),
        ("POS(PARENT0)", "m:1: column 5: unknown place 'PARENT0'"),
        ("directed(POS(CHILD); POS(PARENT))", "m:1: column 20: ';' where '\\)' should be"),
        ("directed = POS(CHILD)", "m:1: column 1: 'directed' cannot be a name"),
        ("SIDE(PARENT)", "m:1: column 12: '\\)' where ',' should be"),
        ("LABELS(CHILD)", "unknown attribute 'LABELS'; known are: .*LABEL, .*SIDE, .*directed\\(…\\), labelled\\(…\\)"),
    ],
)
def test_mistakes_are_shown_where_they_are(text, message):
    with pytest.raises(HeadwayError, match=message):
        parse(text, "m")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("POS(STACK0)", "XPOS\\(STACK0\\): STACK belongs to transition parsers"),
        ("LABEL(CHILD) & POS(CHILD)", "no features of arcs"),
        ("POS(CHILD lc)", "step 'lc' needs a tree"),
        ("DEP(PARENT)", "DEP is known only when arcs have been chosen"),
        ("SIDE(CHILD, PARENT)", r"write SIDE\(PARENT, CHILD\)"),
        ("DISTANCE(PARENT, CHILD) & POS(SIBLING)", r"the distance here is DISTANCE\(SIBLING, CHILD\)"),
        ("POS(SIBLING) & POS(BETWEEN)", "SIBLING and BETWEEN do not go together"),
        ("FEAT(SIBLING)", "FEAT is for PARENT and CHILD only"),
        ("FEAT(CHILD pw)", "not for their neighbours"),
        ("POS(CHILD), labelled(POS(BETWEEN))", "a label depends on PARENT and CHILD, not on BETWEEN"),
        ("POS(CHILD), labelled(FEAT(CHILD) & FEAT(PARENT))", "FEAT stands twice"),
    ],
)
def test_what_arcs_have_no_place_for_is_refused(text, message):
    with pytest.raises(HeadwayError, match=message):
        compile_arcs(parse(text))


@pytest.mark.parametrize("text", ["POS(PARENT)", "POS(STACK0) & SIDE(STACK0, QUEUE0)", "LABEL(STACK0)"])
def test_transition_parsers_refuse_arcs(text):
    with pytest.raises(HeadwayError, match="belongs to graph parsers"):
        compile_features(parse(text))


def test_templates_are_grouped_by_what_they_need():
    templates = compile_arcs(
        parse(
            "directed(POS(PARENT), LEX(CHILD), POS(PARENT) & POS(CHILD)), POS(PARENT) & LEX(CHILD),"
            "SIDE(PARENT, CHILD), FEAT(PARENT) & POS(CHILD), POS(BETWEEN), POS(SIBLING) & POS(CHILD),"
            "POS(SIBLING) & POS(PARENT), labelled(POS(CHILD h))"
        )
    )
    sizes = dict(zip(GROUPS, (templates.group[1:] - templates.group[:-1]).tolist(), strict=True))
    assert sizes == {"parent": 2, "child": 1, "both": 2, "feats": 1, "between": 1, "siblings": 1, "three": 1}
    assert templates.kind.tolist().count(KIND_NUMBERS["directed"]) == 3
    assert len(templates.labels.seed) == 1
    assert needs_tree(parse("labelled(POS(CHILD h))")[0])
    assert not needs_tree(parse("labelled(POS(CHILD pw))")[0])


def test_mst_has_what_the_tables_of_its_paper_have():
    """6 and 7 of Tables 1 and 2, 10 of them with a word to shorten, 5 of Table 3 and its back-off, 3 of morphology."""
    arcs = [feature for feature in feature_model("mst") if "LABEL" not in str(feature)]
    assert len(arcs) == 2 * (6 + 7 + 10 + 1 + 4 + 4 + 3)
    assert all("SIDE(PARENT, CHILD)" in str(feature) for feature in arcs)
    siblings = feature_model("mst-siblings")
    assert [feature for feature in siblings if "SIBLING" not in str(feature)] == feature_model("mst")
