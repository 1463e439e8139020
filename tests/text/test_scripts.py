"""Edit scripts against their definition: applied to its form, the script of a form and a lemma gives the lemma."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headway.text.lemmatizer.edit_scripts import applied, common_part, parsed, script_for

TEXTS = st.text(min_size=1, max_size=12)
NEAR = st.text("abABäÄßİıʼnǆ>|*\\'1_ ", min_size=1, max_size=8)


@given(TEXTS | NEAR, TEXTS | NEAR)
@example("İstanbul", "İstanbul")
@example("ŉ", "ʼN")
@example("_", "_")
@example("*", "1")
@example("a|b>c\\", "a|b")
def test_a_script_gives_the_lemma_it_was_made_for(form, lemma):
    assert applied(script_for(form, lemma), form) == lemma


@given(TEXTS, TEXTS, TEXTS)
def test_a_script_gives_a_lemma_or_says_that_it_does_not_fit(form, lemma, other):
    found = applied(script_for(form, lemma), other)
    assert found is None or found


@pytest.mark.parametrize(
    ("form", "lemma", "script"),
    [
        ("dogs", "dog", "lower|*|s>"),
        ("Dogs", "dog", "lower|*|s>"),
        ("stories", "story", "lower|*|ies>y"),
        ("Paris", "Paris", "keep|*"),
        ("PARIS", "Paris", "capitalise|*"),
        ("nasa", "NASA", "upper|*"),
        ("iPhones", "iPhone", "keep|*|s>"),
        ("Häuser", "Haus", "capitalise|1|ä>a|*|er>"),
        ("gekauft", "kaufen", "lower|ge>|*|t>en"),
        ("was", "be", "lower|was>be"),
        ("25", "25", "lower|*"),
        ("dogs", "_", "_"),
        ("a>b", "a", "lower|*|\\>b>"),
    ],
)
def test_what_scripts_look_like(form, lemma, script):
    assert script_for(form, lemma) == script
    assert applied(script, form) == lemma


@pytest.mark.parametrize(
    ("script", "form", "lemma"),
    [
        ("lower|*|s>", "Cats", "cat"),
        ("lower|*|s>", "sheep", None),
        ("lower|*|s>", "s", None),
        ("lower|1|ä>a|*|er>", "Männer", "mann"),
        ("lower|was>be", "was", "be"),
        ("lower|was>be", "wash", None),
        ("keep|*", "McDonald", "McDonald"),
        ("_", "anything", "_"),
    ],
)
def test_scripts_fit_forms_that_have_what_they_replace(script, form, lemma):
    assert applied(script, form) == lemma


@pytest.mark.parametrize("text", ["", "lower", "upside|*", "lower|*|*", "lower|s", "lower|a>b>c", "lower|99999999|*"])
def test_other_texts_are_no_scripts(text):
    assert parsed(text) is None
    assert applied(text, "form") is None


@given(st.text("ab", max_size=7), st.text("ab", max_size=7))
def test_the_common_part_is_the_longest_or_a_long_beginning(one, other):
    begin, at, size = common_part(one, other)
    assert one[begin : begin + size] == other[at : at + size]
    parts = {one[i:j] for i in range(len(one)) for j in range(i, len(one) + 1)} | {""}
    longest = max(len(part) for part in parts if part in other)
    assert size == longest or (begin == at == 0 and 2 * size >= min(len(one), len(other)))
