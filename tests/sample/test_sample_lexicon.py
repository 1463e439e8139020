import pytest

from headway.data.sample.derivation import WordNode, captures, contested
from headway.data.sample.lexicon import Lexeme, LexiconEntry, Option, SampleLexicon, parse_lexicon, wheel
from headway.data.sample.words import SHORT, inflected, stem, with_s, with_vowel


@pytest.fixture(scope="module")
def lexicon():
    return SampleLexicon(0.15)


def test_entries():
    text = """
person  noun count -ist -eer
    man/men woman/women
    teacher
    amod = age 4, mood | nmod = with: garment 3, tool
    nmod = from: town 6
# a comment
degree  adverb
    very
someone = person 5
"""
    nmod = [Option("with", "garment", 3), Option("with", "tool", 1), Option("from", "town", 6)]
    entries, groups = parse_lexicon(text)
    assert groups == {"someone": [Option("", "person", 5)]}
    assert entries == [
        LexiconEntry(
            *("person", "noun", ["count"], ["ist", "eer"], ["man/men", "woman/women", "teacher"]),
            {"amod": [Option("", "age", 4), Option("", "mood", 1)], "nmod": nmod},
        ),
        LexiconEntry("degree", "adverb", [], [], ["very"], {}),
    ]


@pytest.mark.parametrize(
    ("stem_of", "expected"),
    [("dog", "dogs"), ("box", "boxes"), ("church", "churches"), ("story", "stories"), ("day", "days"), ("go", "goes")],
)
def test_with_s(stem_of, expected):
    assert with_s(stem_of) == expected


@pytest.mark.parametrize(
    ("base", "suffix", "expected"),
    [
        ("hope", "ed", "hoped"),
        ("stop", "ing", "stopping"),
        ("cry", "ed", "cried"),
        ("cry", "ing", "crying"),
        ("die", "ing", "dying"),
        ("see", "ing", "seeing"),
        ("open", "ed", "opened"),
        ("begin", "ing", "beginning"),
        ("fix", "ed", "fixed"),
        ("big", "est", "biggest"),
        ("heavy", "er", "heavier"),
        ("blue", "er", "bluer"),
    ],
)
def test_with_vowel(base, suffix, expected):
    assert with_vowel(base, suffix) == expected


def test_present_agrees():
    present = inflected("verb", "carry", [], "pres")
    assert present["3sg"].cells == "carries\tcarry\tVERB\tVBZ\tMood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
    assert present["1pl"].text == "carry"


def test_wheel_holds_each_value_as_often_as_its_weight():
    assert wheel([("a", 6), ("b", 2), ("c", 4)]) == ("a", "a", "a", "b", "c", "c")


def test_stems_differ_and_small_numbers_are_short():
    numbers = [*range(SHORT + 20_000), *range(10**9, 10**9 + 5000)]
    stems = [stem(number) for number in numbers]
    assert len(set(stems)) == len(stems)
    assert max(map(len, stems[:SHORT])) <= 8
    assert stem(3, start=5) == stem(8)


def test_invented_words_are_new_and_of_one_kind_only(lexicon):
    written = {word.partition("-")[0].split("/")[0] for entry in lexicon.entries for word in entry.words}
    seen = {}
    for kind in lexicon.kinds.values():
        for rank in range(2000 if kind.endings else 0):
            lemma = kind.invented(rank).partition("-")[0]
            assert lemma not in written or kind.category == "proper"
            assert seen.setdefault(lemma, kind) is kind


def test_groups_share_their_weight(lexicon):
    choices = lexicon.kinds["eat"].choices("nsubj")  # someone 8, animal 2
    assert sum(choice.kind.name == "animal" for choice in choices) / len(choices) == 0.2


def test_verbs_that_a_noun_is_a_good_object_of(lexicon):
    verbs = {choice.kind.name for choice in lexicon.kinds["food"].choices("undergoing")}
    assert "eat" in verbs
    assert "meet" not in verbs


def test_a_modifier_belongs_to_the_nearest_word_that_takes_it(lexicon):
    kinds = lexicon.kinds
    see = WordNode("root", None, kinds["perceive"], Lexeme(kinds["perceive"], "see/saw/seen"))
    man = WordNode("obj", see, kinds["person"], Lexeme(kinds["person"], "man/men"))
    choices = {choice.kind.name: choice for choice in man.kind.choices("nmod") + see.kind.choices("obl")}
    assert not contested(choices["optics"], "obl", see, [see, man])
    assert contested(choices["feature"], "obl", see, [see, man])
    assert not contested(choices["feature"], "nmod", man, [see, man])
    assert not contested(choices["feature"], "obl", see, [])


def test_a_noun_takes_the_adjective_before_it(lexicon):
    kinds = lexicon.kinds
    bottle = WordNode("root", None, kinds["container"], Lexeme(kinds["container"], "bottle"))
    sweet = WordNode("amod", bottle, kinds["taste"], Lexeme(kinds["taste"], "sweet"))
    assert captures(kinds["substance"], bottle, [sweet])
    assert not captures(kinds["stuff"], bottle, [sweet])
