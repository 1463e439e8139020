from functools import cache
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.base.errors import FormatError, HeadwayError
from headway.data.formats.headrules import BUILT_IN, Node, parse_rules, read_rules

RULES = {name: read_rules(name) for name in BUILT_IN}
ENGLISH, CHINESE = RULES["english"], RULES["chinese"]
CATEGORIES = {name: sorted(rules.heads) for name, rules in RULES.items()}


def nodes(text):
    """Children from a text: tags in lower case become upper case, phrases stay."""
    return [Node.of(word.upper(), word == word.lower()) for word in text.split()]


def brute_head(name, mother, children):
    """The head by ranking all children: by search, then by distance from the side where the search begins."""
    rules = RULES[name]
    row = next(line for line in table(name) if line.split()[0] == (mother if mother in rules.heads else "*"))
    searches = [words.split() for words in row.split(None, 1)[1].split(";")]
    ranks = []
    for index, child in enumerate(children):
        for number, (direction, *wanted) in enumerate(searches):
            distance = index if direction == "l" else len(children) - 1 - index
            last = number == len(searches) - 1
            if child.category in wanted:
                ranks.append((number, 0, distance, index))
            elif last:
                ranks.append((number, child.is_tag and child.category in rules.punctuation, distance, index))
    return min(ranks)[-1]


@cache
def table(name):
    """The rows of a rule file as they stand there."""
    text = resources.files("headway.data.formats").joinpath("rules", BUILT_IN[name]).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("name", BUILT_IN)
@given(data=st.data())
def test_heads_are_those_found_by_ranking_all_children(name, data):
    rules = RULES[name]
    words = sorted({c for s in rules.heads.values() for search in s for c in search.categories})
    tags = st.builds(lambda word: Node(word, (), True), st.sampled_from([*words, *sorted(rules.punctuation)]))
    phrases = st.builds(lambda word: Node(word), st.sampled_from([*CATEGORIES[name], "ODD"]))
    children = data.draw(st.lists(st.one_of(tags, phrases), min_size=1, max_size=6))
    mother = data.draw(st.sampled_from([*CATEGORIES[name], "", "ODD"]))
    assert rules.head(mother, children) == brute_head(name, mother, children)


@pytest.mark.parametrize(
    ("mother", "children", "head"),
    [
        ("NP", "dt jj nn pos", 3),  # the rightmost of POS and the nouns
        ("NP", "dt nn nns PP", 2),
        ("NP", "NP cc NP", 2),  # coordination has no rule of its own: the last one heads
        ("NP", "NP , NP ,", 2),
        ("NP", "dt jj", 1),
        ("NP", "dt prp", 1),  # nothing of the row is here: the rightmost
        ("NP", "prp ,", 0),  # … that is not punctuation
        ("NP", ", .", 1),
        ("VP", "vbd rb VP", 0),
        ("VP", "to VP", 1),  # TO is not in the row
        ("VP", "VP cc VP", 0),
        ("VP", "vbz vbn", 1),  # the order of the searches counts before the order of the children
        ("PP", "rb in NP", 1),
        ("PP", "PP cc PP", 0),
        ("S", "NP VP .", 1),
        ("S", "S , cc S .", 3),
        ("SBAR", "in S", 0),
        ("SBAR", "WHNP S", 0),
        ("SQ", "vbz NP VP .", 0),
        ("SINV", "VP md VP NP", 1),
        ("QP", "rb cd", 0),
        ("QP", "$ cd cd", 0),
        ("ADJP", "NP jj", 1),
        ("ADVP", "ADVP cc ADVP", 0),
        ("PRN", "-lrb- NP -rrb-", 1),
        ("UCP", "NP cc ADJP", 0),
        ("LST", "ls :", 0),
        ("WHPP", "in WHNP", 0),
        ("NML", "nn nn", 1),
        ("", "S S", 1),
    ],
)
def test_english_heads_as_the_published_table_has_them(mother, children, head):
    assert ENGLISH.head(mother, nodes(children)) == head


@pytest.mark.parametrize(
    ("mother", "children", "head"),
    [
        ("IP", "NP VP pu", 1),
        ("IP", "IP pu IP pu", 2),
        ("VP", "vv NP", 0),
        ("VP", "ADVP VP", 1),
        ("VP", "VP pu VP", 0),
        ("CP", "IP dec", 1),
        ("CP", "ADVP IP", 0),
        ("NP", "nr nn nn", 2),
        ("NP", "NP cc NP", 2),
        ("DNP", "NP deg", 1),
        ("DP", "dt CLP", 0),
        ("LCP", "NP lc", 1),
        ("PP", "p NP", 0),
        ("QP", "cd CLP", 1),
        ("VRD", "vv vv", 1),
        ("UCP", "NP cc VP pu", 2),
    ],
)
def test_chinese_heads_as_the_published_table_has_them(mother, children, head):
    assert CHINESE.head(mother, nodes(children)) == head


@pytest.mark.parametrize(
    ("mother", "head", "dependent", "label"),
    [
        ("S", Node("VP"), Node(".", (), True), "P"),
        ("NP", Node("NN", (), True), Node("$", (), True), "P"),
        ("S", Node("VP"), Node("NP", ("SBJ",)), "SUB"),
        ("S", Node("VP"), Node("SBAR", ("NOM", "SBJ")), "SUB"),
        ("VP", Node("VBZ", (), True), Node("ADJP", ("PRD",)), "PRD"),
        ("VP", Node("VBZ", (), True), Node("NP"), "OBJ"),
        ("VP", Node("VBZ", (), True), Node("NP", ("TMP",)), "VMOD"),
        ("VP", Node("VP"), Node("NP"), "VMOD"),
        ("VP", Node("MD", (), True), Node("VP"), "VC"),
        ("VP", Node("VP"), Node("VP"), "VMOD"),
        ("VP", Node("VBZ", (), True), Node("S"), "VMOD"),
        ("SBAR", Node("IN", (), True), Node("S"), "SBAR"),
        ("SBAR", Node("IN", (), True), Node("RB", (), True), "VMOD"),
        ("NP", Node("NN", (), True), Node("DT", (), True), "NMOD"),
        ("NP", Node("NP"), Node("SBAR"), "NMOD"),
        ("QP", Node("CD", (), True), Node("RB", (), True), "AMOD"),
        ("ADJP", Node("JJ", (), True), Node("PP"), "AMOD"),
        ("PP", Node("IN", (), True), Node("NP"), "PMOD"),
        ("FRAG", Node("NP"), Node("PP"), "DEP"),
        ("", Node("S"), Node("S"), "DEP"),
    ],
)
def test_english_labels(mother, head, dependent, label):
    assert ENGLISH.label(Node(mother), head, dependent) == label


@pytest.mark.parametrize(
    ("label", "node"),
    [
        ("NP-SBJ-1", Node("NP", ("SBJ",))),
        ("NP=2", Node("NP")),
        ("NP-SBJ=3", Node("NP", ("SBJ",))),
        ("SBAR-NOM-SBJ", Node("SBAR", ("NOM", "SBJ"))),
        ("-LRB-", Node("-LRB-")),
        ("-NONE-", Node("-NONE-")),
        ("PRT|ADVP", Node("PRT")),
        ("PRP$", Node("PRP$")),
        ("", Node("")),
    ],
)
def test_labels_are_split_into_category_and_functions(label, node):
    assert Node.of(label) == node


def test_a_table_in_penn2malts_own_form_is_read():
    rules = parse_rules("NP\tr NN NNS;l NP;r\nPP\tl IN;l\n", "headrules.txt")
    assert rules.head("NP", nodes("NP NP dt")) == 0
    assert rules.head("NP", nodes("nn nns dt")) == 1
    assert rules.head("ODD", nodes("a b")) == 1
    assert rules.label(Node("NP"), Node("NN"), Node("DT")) == "DEP"


def test_a_row_without_a_last_resort_ends_on_the_side_of_its_last_search():
    assert parse_rules("NP left NN", "x").head("NP", nodes("a b")) == 0
    assert parse_rules("NP right NN", "x").head("NP", nodes("a b")) == 1


def test_patterns_join_categories_and_functions():
    rules = parse_rules("NP r\nlabel TIME * * NP|ADVP-TMP\nlabel PAREN * * -LRB-\nlabel PLAIN NP- * -", "x")
    assert rules.label(Node("S"), Node("VP"), Node("ADVP", ("TMP",))) == "TIME"
    assert rules.label(Node("S"), Node("VP"), Node("PP", ("TMP",))) == "DEP"
    assert rules.label(Node("S"), Node("VP"), Node("-LRB-", (), True)) == "PAREN"
    assert rules.label(Node("NP"), Node("NN"), Node("JJ", (), True)) == "PLAIN"
    assert rules.label(Node("NP", ("SBJ",)), Node("NN"), Node("JJ", (), True)) == "DEP"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "NP",
            "my.rules:1: column 3: a search is missing; give a direction (l or r), then categories if any",
        ),
        ("NP r NN;;r", "my.rules:1: column 9: a search is missing; give a direction"),
        ("NP r NN;", "my.rules:1: column 9: a search is missing; give a direction"),
        (
            "# ok\n\nNP x NN;r",
            "my.rules:3: column 4: the direction 'x' is neither l nor r; l is the leftmost",
        ),
        ("NP r NN; NNS;r", "my.rules:1: column 10: the direction 'NNS' is neither l nor r"),
        (
            "NP r;r NN",
            "my.rules:1: column 4: no search after this one is ever reached; put a direction alone",
        ),
        ("NP r\nVP l\nNP l", "my.rules:3: column 1: the category 'NP' has a row already; join the two rows"),
        (
            "NP r\nlabel SUB * -SBJ",
            "my.rules:2: column 17: a label row has 3 words after 'label' where it needs 4",
        ),
        ("NP r\nlabel SUB * * * *", "my.rules:2: column 17: a label row has 5 words"),
        (
            "NP r\nlabel P * * <word>",
            "my.rules:2: column 13: unknown pattern '<word>'; known are: <punctuation>, <tag>",
        ),
        ("NP r\nlabel P * * NP||VP", "my.rules:2: column 13: a category is missing in 'NP||VP'; write"),
        ("# nothing", "my.rules: there are no head rules here; give each category a row"),
    ],
)
def test_errors_in_rules_name_line_and_column(text, message):
    with pytest.raises(FormatError) as caught:
        parse_rules(text, "my.rules")
    assert str(caught.value).startswith(message)


def test_unknown_rules_list_the_known_ones(tmp_path):
    with pytest.raises(HeadwayError, match="no head rules 'latin'; known are: chinese, english, or the path"):
        read_rules("latin")
    with pytest.raises(HeadwayError, match="give a file of head rules"):
        read_rules(tmp_path)
    (tmp_path / "latin1.rules").write_bytes(b"NP r NN;r\n# caf\xe9")
    with pytest.raises(FormatError, match="this is not UTF-8"):
        read_rules(tmp_path / "latin1.rules")
