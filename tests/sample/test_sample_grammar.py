from collections import Counter

import pytest

from headway.data.sample import generate, generate_text
from headway.data.sample.derivation import STARTS, Grammar, GrammarRule, Item, parse_grammar
from headway.data.sample.lexicon import SampleLexicon
from headway.data.sample.words import function_words

UNIVERSAL = """
acl advcl advmod amod appos aux case cc ccomp compound conj cop csubj det discourse expl fixed flat iobj mark nmod
nsubj nummod obj obl orphan parataxis punct root vocative xcomp
"""
BUILT_IN = ("PREPOSITION", "PARTICLE", "!plural")


@pytest.fixture(scope="module")
def grammar():
    return Grammar(SampleLexicon(0.15), lambda: 0.5)


def test_notation():
    text = """
NP:
    3 [noun -mass] det=the amod=ADJ?30 *sg
    1
# a comment
CLAUSE: 2 obj@ccomp=WH(^obj) !plural
"""
    assert parse_grammar(text) == {
        "NP": [
            GrammarRule(
                3,
                ("noun", "-mass"),
                (
                    Item("det", "the", "", "det", 1.0),
                    Item("amod", "ADJ", "", "amod", 0.3),
                    Item("", "*sg", "", "", 1.0),
                ),
            ),
            GrammarRule(1, (), ()),
        ],
        "CLAUSE": [
            GrammarRule(2, (), (Item("obj", "WH", "ccomp", "^obj", 1.0), Item("", "!plural", "", "", 1.0)), True),
        ],
    }


@pytest.mark.parametrize("line", ["    NP", "    3 [noun *sg", "    3 =NP", "    3 obj=NP?"])
def test_what_is_no_rule_is_refused(line):
    with pytest.raises(ValueError):
        parse_grammar(f"S:\n{line}\n")


def test_all_names_in_the_grammar_are_known(grammar):
    for rules in grammar.rules.values():
        for rule in rules:
            for item in rule.items:
                known = item.target in grammar.rules or item.target in grammar.lexicon.closed
                assert known or item.target in BUILT_IN or item.target.startswith("*"), item
                assert not item.relation or item.relation.split(":")[0] in UNIVERSAL.split(), item


def test_no_derivation_comes_to_a_dead_end(grammar):
    """Follow every rule with every kind of head and of governor that it can meet."""
    waiting = [(start, grammar.top, grammar.top) for start in STARTS]
    met = set(waiting)
    while waiting:
        name, kind, governor = waiting.pop()
        rules = [rule for rule in grammar.rules[name] if rule.allows(kind.tags)]
        assert rules, (name, kind.name)
        for item in (item for rule in rules for item in rule.items if item.target in grammar.rules):
            if item.relation and not item.anchor:
                selecting = governor if item.selection.startswith("^") else kind
                chosen = {choice.kind for choice in selecting.choices(item.selection.lstrip("^"))}
                after = [(item.target, dependent, kind) for dependent in chosen]
            elif not item.relation:
                after = [(item.target, kind, governor)]
            else:
                after = []
            waiting += [state for state in after if state not in met]
            met.update(after)
    assert {name for name, _, _ in met} >= set(grammar.rules) - {"WH"}


def test_every_function_word_is_used():
    lemmas = {row[2] for row in _words(generate_text(4000))}
    for name, made in function_words().items():
        forms = made.values() if isinstance(made, dict) else [made]
        assert all(word.cells.split("\t")[1] in lemmas for word in forms), name


@pytest.fixture(scope="module")
def trees():
    """Tags, heads and labels of some thousand sentences."""
    sample = generate(4000, nonprojective=0.0)
    return [(sentence.upos, sentence.heads.tolist(), sentence.deprels) for sentence in sample]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("VERB DET NOUN ADP DET [NOUN]", {(-3, "nmod"), (-5, "obl")}),  # saw the man with the telescope
        ("VERB ADP DET [NOUN]", {(-3, "obl"), (-3, "obj")}),  # ran up the hill, picked up the box
        ("VERB DET NOUN DET [NOUN]", {(-4, "obj"), (-4, "xcomp")}),  # gave the man a book, called the man a thief
        ("VERB PART [VERB]", {(-2, "xcomp"), (-2, "advcl")}),  # tried to sing, came to sing
        ("VERB DET NOUN PART [VERB]", {(-2, "acl"), (-4, "advcl")}),  # had a plan to sing, cut a tree to sing
        ("[ADV] PRON VERB", {(1, "advmod"), (2, "advmod")}),  # only she sang, often she sang
        ("[ADJ] NOUN NOUN", {(1, "amod"), (2, "amod")}),  # sweet wine bottle, round wine bottle
    ],
)
def test_tags_alone_do_not_decide(trees, pattern, expected):
    """The word in brackets has different heads (counted from it) and labels where these tags follow each other."""
    tags = pattern.replace("[", "").replace("]", "").split()
    marked = [tag.startswith("[") for tag in pattern.split()].index(True)
    found = Counter()
    for upos, heads, deprels in trees:
        for start in range(len(upos) - len(tags) + 1):
            if upos[start : start + len(tags)] == tags:
                word = start + marked
                found[heads[word] - 1 - word, deprels[word]] += 1
    assert found.total() >= 20
    for reading in expected:
        assert found[reading] >= 0.1 * found.total(), found


def test_finite_verbs_agree_with_their_subjects():
    checked = 0
    for sentence in generate(1500, seed=12):
        for place, (head, label) in enumerate(zip(sentence.heads.tolist(), sentence.deprels, strict=True)):
            subject = dict(pair.split("=") for pair in sentence.feats[place].split("|") if "=" in pair)
            conjoined = any(
                h == place + 1 and d == "conj" for h, d in zip(sentence.heads, sentence.deprels, strict=True)
            )
            verb = dict(pair.split("=") for pair in sentence.feats[head - 1].split("|") if "=" in pair)
            if label == "nsubj" and "Number" in subject and verb.get("Tense") == "Pres" and "Number" in verb:
                checked += 1
                expected = "Plur" if conjoined and subject["Number"] == "Sing" else subject["Number"]
                alternatives = {expected, subject["Number"]} if conjoined else {expected}
                assert verb["Number"] in alternatives, sentence.text
    assert checked > 100


def _words(texts):
    for text in texts:
        yield from (row for row in (line.split("\t") for line in text.splitlines()) if row[0].isdigit())
