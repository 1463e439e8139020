"""Multiword tokens: scripts give back the words that they were made of, and fit other tokens."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.aligned import WrittenToken
from headway.text.characters import LOWER_TABLE, codes_of
from headway.text.splitter import learned
from headway.text.splitting import parsed, script_for, split

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
    assert script_for(token, words) == script
    assert split(script, token) == words
    assert split(script, other) == others


@given(st.text("abcäßé'n ", min_size=1, max_size=8).filter(str.strip), st.lists(WORD, min_size=2, max_size=3))
def test_words_of_lower_case_come_back(token, words):
    assert split(script_for(token, words), token) == words


@pytest.mark.parametrize("script", ["", "x", "0:3", "-5:-2  0:", "1:", "0:-99999 +a"])
def test_what_is_no_script_splits_nothing(script):
    assert parsed(script) is None and split(script, "token") is None


def test_scripts_that_do_not_fit_split_nothing():
    assert split("0:-7 -7:", "short") is None
    assert split("0:-5 -5:", "short") is None


def chosen(splitter, *forms):
    found = []
    for form in forms:
        codes = LOWER_TABLE[codes_of(form)]
        script = int(splitter.chosen(codes, np.array([0], np.int32), np.array([len(form)], np.int32))[0])
        found.append(splitter.words(script, form))
    return found


def test_forms_before_suffixes_and_the_majority_counts():
    tokens = [WrittenToken(f"{name}'s", " ", (name, "'s")) for name in ("Ann", "Bob", "Cem", "Dora")]
    tokens += [WrittenToken("its", " ", ("it", "s")), WrittenToken("its", " "), WrittenToken("its", " ")]
    tokens += [WrittenToken("Macy's", " "), WrittenToken("cats", " "), WrittenToken("dogs", " ")]
    splitter = learned(tokens)
    assert chosen(splitter, "Eve's", "ANN'S", "Macy's", "its", "birds", "'s") == [
        ["Eve", "'s"],
        ["ANN", "'S"],
        None,
        None,
        None,
        None,
    ]


def test_a_treebank_without_multiword_tokens_splits_nothing():
    splitter = learned([WrittenToken("a", " ")])
    assert splitter.scripts == () and chosen(splitter, "a", "don't") == [None, None]
