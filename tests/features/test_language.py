"""The feature language: what it accepts, what it means, and how it refuses the rest."""

from itertools import combinations
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.base.errors import FormatError, HeadwayError
from headway.features.language import Address, Feature, Term, parse
from headway.features.vocabulary import ALIASES, ATTRIBUTES, STEPS

S0, B0 = Address("STACK", 0), Address("QUEUE", 0)


def tag(address):
    return Feature((Term("XPOS", (address,)),))


def texts(text):
    return [str(feature) for feature in parse(text)]


def test_a_term():
    assert parse("POS(STACK0)") == [tag(S0)]
    assert parse("UPOS( QUEUE12   lc rs )") == [Feature((Term("UPOS", (Address("QUEUE", 12, ("lc", "rs")),)),))]
    assert parse("DISTANCE(STACK0, QUEUE0 ld)") == [Feature((Term("DISTANCE", (S0, Address("QUEUE", 0, ("ld",)))),))]


def test_every_step_and_attribute_is_known():
    for step in STEPS:
        assert parse(f"DEP(STACK1 {step} {step})")[0].terms[0].addresses[0].path == (step, step)
    named = [name.replace("Name", "Case").replace("n", "3") for name in ATTRIBUTES]
    for name in named:
        addresses = "STACK0, QUEUE0" if name == "DISTANCE" else "STACK0"
        assert parse(f"{name}({addresses})")[0].terms[0].attribute == name
    assert len(ATTRIBUTES) == 16


def test_other_names_for_the_same():
    for alias, name in ALIASES.items():
        assert parse(f"{alias}(STACK0)") == parse(f"{name}(STACK0)")
    assert ALIASES == {"LEX": "FORM", "CPOS": "UPOS", "POS": "XPOS"}


def test_features_of_feats_have_names_as_universal_dependencies_has_them():
    assert texts("FEATS:Number[psor](STACK0)\nFEATS:Typo(QUEUE0)") == [
        "FEATS:Number[psor](STACK0)",
        "FEATS:Typo(QUEUE0)",
    ]


def test_conjunctions():
    [feature] = parse("POS(STACK0) & LEX(QUEUE0) & DEP(STACK0 lc)")
    assert [term.attribute for term in feature.terms] == ["XPOS", "FORM", "DEP"]
    assert str(feature) == "XPOS(STACK0) & FORM(QUEUE0) & DEP(STACK0 lc)"
    assert tag(S0) & tag(B0) & tag(S0) == tag(S0) & tag(B0)


def test_pairs_of_one_list_are_all_pairs():
    listed = ["FORM(STACK0)", "FORM(QUEUE0)", "XPOS(STACK0)", "XPOS(QUEUE0)"]
    expected = [f"{a} & {b}" for a, b in combinations(listed, 2)]
    assert texts(f"pairs({', '.join(listed)})") == expected


def test_pairs_of_two_lists_take_one_from_each():
    assert texts("pairs(LEX(STACK0), LEX(QUEUE0); POS(STACK0), POS(QUEUE0))") == [
        "FORM(STACK0) & XPOS(STACK0)",
        "FORM(STACK0) & XPOS(QUEUE0)",
        "FORM(QUEUE0) & XPOS(STACK0)",
        "FORM(QUEUE0) & XPOS(QUEUE0)",
    ]


def test_pairs_of_pairs():
    assert texts("pairs(pairs(LEX(STACK0), POS(STACK0)), DEP(STACK0))") == ["FORM(STACK0) & XPOS(STACK0) & DEP(STACK0)"]


def test_names_stand_wherever_features_are_listed():
    model = """
    tags = POS(STACK0), POS(QUEUE0)
    both = tags, LEX(STACK0)
    both
    LEX(QUEUE0), tags
    pairs(tags; LEX(STACK0))
    """
    assert texts(model) == [
        "XPOS(STACK0)",
        "XPOS(QUEUE0)",
        "FORM(STACK0)",
        "FORM(QUEUE0)",
        "XPOS(STACK0) & FORM(STACK0)",
        "XPOS(QUEUE0) & FORM(STACK0)",
    ]


def test_a_list_with_a_name_that_nobody_uses_adds_nothing():
    assert texts("unused = POS(STACK0)\nLEX(STACK0)") == ["FORM(STACK0)"]


def test_lines_go_on():
    model = """
    tags =
        POS(STACK0),   # the top of the stack

        POS(QUEUE0)
    pairs(
        tags;
        LEX(STACK0) &
            LEX(QUEUE0)
    )
    """
    assert len(parse(model)) == 2


def test_comments_blank_lines_and_line_ends():
    assert parse("# nothing\n\n   \n") == []
    assert parse("") == []
    assert parse("POS(STACK0)#POS(QUEUE0)\r\nPOS(QUEUE0)\r\n") == [tag(S0), tag(B0)]
    assert parse("\tPOS (\tSTACK0\u00a0)  ") == [tag(S0)]


def test_each_feature_counts_once_in_the_order_of_first_mention():
    assert texts("POS(QUEUE0)\nPOS(STACK0)\nPOS(QUEUE0)\nXPOS(STACK0)") == ["XPOS(QUEUE0)", "XPOS(STACK0)"]
    assert texts("POS(QUEUE0) & POS(STACK0)\nPOS(STACK0) & POS(QUEUE0)") == ["XPOS(QUEUE0) & XPOS(STACK0)"]
    assert texts("POS(STACK0) & POS(STACK0)\nPOS(STACK0)") == ["XPOS(STACK0)"]


ERRORS = [
    ("POS(STACK0", 1, 11, "the end of the line where ')' should be"),
    ("\n\n POS STACK0)", 3, 6, "'STACK0' where '(' should be"),
    ("POS(STACK0) LEX(STACK0)", 1, 13, "'LEX' where the end of the line should be"),
    ("POS(STACK0) &", 1, 14, "the end of the line where a feature should be"),
    ("POS(STACK0) & # what\nLEX[STACK0)", 2, 1, "unknown attribute 'LEX[STACK0'"),
    ("WORD(STACK0)", 1, 1, "unknown attribute 'WORD'"),
    ("PREFIX0(STACK0)", 1, 1, "unknown attribute 'PREFIX0'"),
    ("POS(STACK)", 1, 5, "unknown place 'STACK'"),
    ("POS(STACK100)", 1, 5, "unknown place 'STACK100'"),
    ("POS()", 1, 5, "')' where a place should be"),
    ("POS(STACK0 lx)", 1, 12, "unknown step 'lx'"),
    ("POS(STACK0, QUEUE0)", 1, 11, "',' where ')' should be"),
    ("DISTANCE(STACK0)", 1, 16, "')' where ',' should be"),
    ("POS(STACK0) @", 1, 13, "'@' has no meaning here"),
    ("tags = POS(STACK0),", 1, 20, "the end of the line where a feature should be"),
    ("tags =", 1, 7, "the end of the line where a feature should be"),
    ("tags = POS(STACK0)\ntags = POS(QUEUE0)", 2, 1, "'tags' has a meaning already"),
    ("pairs = POS(STACK0)", 1, 1, "'pairs' cannot be a name"),
    ("LEX = POS(STACK0)", 1, 1, "'LEX' cannot be a name"),
    ("( = POS(STACK0)", 1, 1, "'(' cannot be a name"),
    ("2nd = POS(STACK0)", 1, 1, "'2nd' cannot be a name"),
    ("tags = tags", 1, 8, "unknown attribute 'tags'"),
    ("pairs POS(STACK0)", 1, 7, "'POS' where '(' should be"),
    ("pairs(POS(STACK0); LEX(STACK0); DEP(STACK0))", 1, 31, "';' where ')' should be"),
    ("pairs(POS(STACK0),\nLEX(STACK0)", 2, 12, "the end of the line where ')' should be"),
    ("pairs()", 1, 7, "')' where a feature should be"),
    ("pairs(" * 11, 1, 61, "pairs of pairs, 11 deep"),
    (",", 1, 1, "',' where a feature should be"),
]


@pytest.mark.parametrize(("text", "line", "column", "what"), ERRORS, ids=[text for text, *_ in ERRORS])
def test_errors_say_where_and_what(text, line, column, what):
    with pytest.raises(FormatError) as refusal:
        parse(text, "my.features")
    message = str(refusal.value)
    assert message.startswith(f"my.features:{line}: column {column}: {what}; ")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("tags = POS(STACK0)\nWORD(STACK0)", [*ATTRIBUTES, *ALIASES, "pairs(…)", "tags"]),
        ("POS(STACK0 up)", STEPS),
        ("POS(HEAP0)", ["STACK0", "QUEUE0"]),
    ],
)
def test_unknown_names_list_the_known_ones(text, names):
    with pytest.raises(FormatError) as refusal:
        parse(text)
    assert "known are: " in str(refusal.value)
    for name in names:
        assert name in str(refusal.value)


addresses = st.builds(
    Address,
    st.sampled_from(["STACK", "QUEUE"]),
    st.integers(0, 99),
    st.lists(st.sampled_from([*STEPS]), max_size=4).map(tuple),
)
words = ("FORM", "LOWER", "LEMMA", "UPOS", "XPOS", "PREFIX1", "SUFFIX9")
others = ("FEATS", "FEATS:Case", "FEATS:Number[psor]", "FEAT", "DEP", "LEFT", "RIGHT")
attributes = st.sampled_from(words + others)
terms = st.one_of(
    st.builds(lambda attribute, address: Term(attribute, (address,)), attributes, addresses),
    st.builds(lambda *both: Term("DISTANCE", both), addresses, addresses),
)
features = st.lists(terms, min_size=1, max_size=4, unique=True).map(lambda some: Feature(tuple(some)))


@given(st.lists(features, max_size=6, unique_by=lambda feature: frozenset(feature.terms)))
def test_what_a_feature_is_written_as_is_read_as_that_feature(some):
    assert parse("\n".join(map(str, some))) == some
    assert parse(", ".join(map(str, some)) if some else "") == some


pieces = st.sampled_from(
    [
        *"()&,;=#\n \t\r@-é²:[]",
        "POS",
        "LEX",
        "FEATS:",
        "STACK0",
        "QUEUE99",
        "lc",
        "pairs",
        "x",
        "x = ",
        "DISTANCE",
        "\x00",
    ]
)


@given(st.one_of(st.text(max_size=30), st.lists(pieces, max_size=30).map("".join)))
def test_anything_else_is_refused_and_never_a_crash(text):
    try:
        found = parse(text)
    except HeadwayError as error:
        assert "\n" not in str(error)
        assert "features:" in str(error)
    else:
        assert parse("\n".join(map(str, found))) == found


def test_lists_that_multiply_are_refused_before_they_are_written_out():
    doubled = "\n".join(["a0 = POS(STACK0), POS(QUEUE0)", *(f"a{n + 1} = a{n}, a{n}" for n in range(39)), "a39"])
    nested = "pairs(" * 9 + "POS(STACK0), POS(STACK1), LEX(STACK0), LEX(QUEUE0), LEX(QUEUE1), DEP(STACK0)" + ")" * 9
    crossed = "a = " + ", ".join(f"POS(STACK{n})" for n in range(99)) + "\nb = pairs(a; a)\npairs(b; b)"
    again = "a = " + ", ".join(f"POS(STACK{n})" for n in range(99)) + "\n" + "pairs(a)\n" * 100
    for text in (doubled, nested, crossed, again):
        begin = perf_counter()
        with pytest.raises(FormatError, match=r"makes more than 200,000 terms of this text; join fewer features"):
            parse(text)
        assert perf_counter() - begin < 5
    long = "a = POS(STACK0) & POS(STACK1) & POS(STACK2)\nb = a, LEX(STACK0)"
    for name, other in ("cb", "dc", "ed", "fe", "gf", "hg"):
        long += f"\n{name} = pairs({other}; {other})"
    with pytest.raises(
        FormatError, match=r"makes features of \d+ terms; at most 64 are possible|more than 200,000 terms"
    ):
        parse(long)


def test_our_own_models_are_far_from_the_limit():
    joined = " & ".join(f"POS(STACK{n})" for n in range(64))
    assert len(parse(joined)[0].terms) == 64
    with pytest.raises(FormatError, match="makes features of 65 terms; at most 64 are possible"):
        parse(f"{joined} & POS(QUEUE0)")
