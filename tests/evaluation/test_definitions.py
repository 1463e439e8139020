import unicodedata

import pytest

from headway.base.errors import HeadwayError
from headway.evaluation.definitions import ALL, CONLLX, UD, definition_for, is_punctuation, without_subtype


def test_the_gold_format_chooses_the_definition():
    assert definition_for("conllu") == UD
    assert {definition_for(form) for form in ("conllx", "conll2009", "malttab")} == {CONLLX}
    assert definition_for("conllu", "all") == ALL


def test_punctuation_can_be_chosen_where_the_definition_leaves_it_open():
    assert definition_for("conllx", punctuation=True).punctuation
    assert not definition_for("conllu", "all", punctuation=False).punctuation
    assert definition_for("conllu", "ud", punctuation=True) == UD
    with pytest.raises(HeadwayError, match="'ud' counts punctuation"):
        definition_for("conllu", "ud", punctuation=False)


def test_an_unknown_definition_lists_the_known_ones():
    with pytest.raises(HeadwayError, match="unknown definition 'las'; known are: all, conllx, ud"):
        definition_for("conllu", "las")


def test_a_definition_says_what_it_is():
    assert str(CONLLX) == (
        "conllx (CoNLL-X eval.pl): punctuation does not count, whole labels, the same words in both files"
    )


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (".", True),
        ("...", True),
        ("«", True),
        ("_", True),
        ("%", True),
        ("$", False),
        ("+", False),
        (".5", False),
        ("", False),
    ],
)
def test_punctuation_is_what_unicode_calls_so(form, expected):
    assert is_punctuation(form) == expected


def test_every_character_alone_is_punctuation_by_its_category():
    characters = list(map(chr, range(0x3100)))
    assert [c for c in characters if is_punctuation(c)] == [
        c for c in characters if unicodedata.category(c) in {"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"}
    ]


def test_subtypes_are_what_follows_the_colon():
    assert [without_subtype(label) for label in ("nsubj", "nsubj:pass", "a:b:c", ":x")] == [
        "nsubj",
        "nsubj",
        "a",
        "",
    ]
