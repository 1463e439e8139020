"""Multiword tokens: scripts give back the words that they were made of, and fit other tokens."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.segmenter.characters import codes_of
from headway.text.segmenter.multiword_tokens import reach, split_items, split_script_for, split_words
from headway.text.segmenter.spaces import SurfaceToken
from headway.text.segmenter.training import learned_splitter

WORD = st.text("abcäßé'’nt", min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("token", "words", "script", "other", "others"),
    [
        ("don't", ["do", "n't"], "0:-3 -3:", "CAN'T", ["CA", "N'T"]),
        ("farlo", ["fare", "lo"], "0:-2+e -2:", "Dirlo", ["Dire", "lo"]),
        ("nella", ["in", "la"], "+in -2:", "Nella", ["In", "la"]),
        ("du", ["de", "le"], "0:-1+e +le", "DU", ["DE", "LE"]),
        ("abych", ["aby", "bych"], "0:-2 +bych", "Abych", ["Aby", "bych"]),
    ],
)
def test_scripts_fit_other_tokens(token, words, script, other, others):
    assert split_script_for(token, words) == script
    assert split_words(script, token) == words
    assert split_words(script, other) == others


@given(st.text("abcäßé'n ", min_size=1, max_size=8).filter(str.strip), st.lists(WORD, min_size=2, max_size=3))
def test_words_of_lower_case_come_back(token, words):
    assert split_words(split_script_for(token, words), token) == words


@pytest.mark.parametrize("script", ["", "x", "0:3", "-5:-2  0:", "1:", "0:-99999 +a"])
def test_what_is_no_script_splits_nothing(script):
    assert split_items(script) is None and split_words(script, "token") is None


def test_scripts_that_do_not_fit_split_nothing():
    assert split_words("0:-7 -7:", "short") is None
    assert split_words("0:-5 -5:", "short") is None


def test_how_far_from_the_end_scripts_look():
    assert [reach(script) for script in ("0:-2 -2:", "0:-4+i -2:", "+in -2:", "0: +by")] == [2, 4, math.inf, 0]


def chosen(splitter, *forms):
    """The words of tokens that stand side by side in one sentence."""
    ends = np.cumsum([len(form) for form in forms], dtype=np.int32)
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int32)
    last = np.arange(len(forms)) == len(forms) - 1
    scripts = splitter.chosen(codes_of("".join(forms)), begins, ends, last).tolist()
    return [splitter.words(script, form) for script, form in zip(scripts, forms, strict=True)]


def taught(*sentences):
    tokens = [token for sentence in sentences for token in sentence]
    last = [number == len(sentence) - 1 for sentence in sentences for number in range(len(sentence))]
    return learned_splitter(tokens, last, seed=1)


def one(form):
    return SurfaceToken(form)


def two(first, second):
    return SurfaceToken(first + second, words=(first, second))


def test_endings_split_new_tokens_and_forms_that_are_known_stay():
    names = [two(name, "'s") for name in ("Ann", "Bob", "Cem", "Dora", "Eli", "Fay")]
    splitter = taught(*([name, one("car")] for name in names), *[[one("Macy's"), one("cats")]] * 5)
    assert chosen(splitter, "Gus's", "car") == [["Gus", "'s"], None]
    assert chosen(splitter, "ANN'S") == [["ANN", "'S"]]
    assert chosen(splitter, "Macy's", "cats", "birds", "'s") == [None] * 4


def test_the_words_around_choose_where_the_treebank_does_both():
    slip, own = [two("it", "s"), one("a"), one("dog")], [one("its"), one("tail"), one("wags")]
    splitter = taught(*[slip, own] * 20)
    assert chosen(splitter, "Its", "a", "cat") == [["It", "s"], None, None]
    assert chosen(splitter, "its", "tail", "is") == [None, None, None]


def test_a_treebank_without_multiword_tokens_splits_nothing():
    splitter = taught([one("a")])
    assert splitter.scripts == () and chosen(splitter, "a", "don't") == [None, None]


def test_the_same_seed_learns_the_same():
    first, second = (taught(*[[two("it", "s"), one("a")], [one("its"), one("b")]] * 9) for _ in range(2))
    assert np.array_equal(first.weights.packed.lines, second.weights.packed.lines)
