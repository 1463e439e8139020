"""Columns as keys: each kind of column against the same taken from Python strings."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PLAIN, as_file, conllu_sentence, conllx_sentence

from headway import Sentence
from headway.data.batch import scan
from headway.data.formats.format import CONLL2008, CONLLU, CONLLX
from headway.features.compile import compile_features
from headway.features.encode import KeyColumn, column_of
from headway.features.language import parse
from headway.kernels.text import encode

FIELDS = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS")
MASK = (1 << 64) - 1


def key_in_python(text):
    """FNV-1a and a last mix, from their definitions."""
    key = 0xCBF29CE484222325
    for byte in text.encode():
        key = (key ^ byte) * 0x100000001B3 & MASK
    key = (key ^ key >> 32) * 0x9E3779B97F4A7C15 & MASK
    return key ^ key >> 29


def keys_of(batch, attribute):
    templates = compile_features(parse(f"{attribute}(STACK0)"))
    return templates.encode(batch).keys[:, 0].tolist()


def forms(*words):
    return Sentence(forms=words).batch


@given(st.text(max_size=20))
def test_the_key_of_a_string(text):
    assert encode.key_of(text.encode()) == key_in_python(text)


def test_different_strings_have_different_keys_in_all_bits():
    chance = random.Random(1)
    words = {"".join(chance.choices("abcdefghijklmnop", k=chance.randint(1, 8))) for _ in range(100_000)}
    keys = np.array([encode.key_of(word.encode()) for word in words], np.uint64)
    assert len(set(keys.tolist())) == len(words)
    ones = [(keys >> np.uint64(bit) & np.uint64(1)).mean() for bit in range(64)]
    assert 0.49 < min(ones) <= max(ones) < 0.51


@pytest.mark.parametrize(
    ("strategy", "form"), [(conllu_sentence(), CONLLU), (conllx_sentence(), CONLLX)], ids=["conllu", "conllx"]
)
def test_whole_columns(strategy, form):
    @given(st.lists(strategy, min_size=1, max_size=3))
    def check(sentences):
        batch, problems, _ = scan(as_file(sentences), form, "generated")
        assert not problems
        for field in FIELDS:
            assert keys_of(batch, field) == [key_in_python(cell) for cell in batch.column(field)]

    check()


def test_a_column_that_is_empty_gives_way_to_its_fallback():
    rows = ["1 as AS p q bs BS r 0 ROOT _", "2 at AT p q _ _ _ 1 DEP _", "3 an AN _ q  BN r 1 DEP _"]
    text = "".join(row.replace(" ", "\t") + "\n" for row in rows) + "\n"
    batch, problems, _ = scan(text.encode(), CONLL2008, "test")
    assert not problems
    assert batch.column("FORM") == ["bs", "at", "an"]
    for field in FIELDS:
        assert keys_of(batch, field) == [key_in_python(cell) for cell in batch.column(field)]
    assert keys_of(batch, "SUFFIX1") == [key_in_python(cell) for cell in "stn"]


def test_fields_that_a_format_does_not_have_read_as_underscores():
    batch, _, _ = scan(b"1\tA\tB\tC\tD\tE\tF\tG\t0\tROOT\t_\n\n", CONLL2008, "test")
    assert keys_of(batch, "FEATS") == [key_in_python("_")]
    assert compile_features(parse("FEAT(STACK0)")).encode(batch).features.size == 0


words = st.lists(st.text(PLAIN, min_size=1, max_size=12), min_size=1, max_size=4)


@given(words, st.integers(1, 9))
def test_prefixes_and_suffixes_count_characters(words, n):
    batch = forms(*words)
    assert keys_of(batch, f"PREFIX{n}") == [key_in_python(word[:n]) for word in words]
    assert keys_of(batch, f"SUFFIX{n}") == [key_in_python(word[-n:]) for word in words]


@given(words)
def test_lower_case_is_that_of_every_script(words):
    assert keys_of(forms(*words), "LOWER") == [key_in_python(word.lower()) for word in words]


def test_lower_case_by_example():
    ascii_characters = [chr(number) for number in range(33, 127)]
    assert keys_of(forms(*ascii_characters), "LOWER") == [key_in_python(c.lower()) for c in ascii_characters]
    pairs = {"HOUSE": "house", "Ærø": "ærø", "МОСКВА": "москва", "ΣΑΣ": "σας", "Ŵy": "ŵy", "×÷": "×÷", "İ": "i̇"}
    assert keys_of(forms(*pairs), "LOWER") == [key_in_python(lower) for lower in pairs.values()]


FEATS = [
    "_",
    "Case=Nom",
    "Case=Nom|Number=Sing",
    "Number=Sing|Case=Acc",
    "SubCase=X|Case=Y",
    "Case=",
    "Case",
    "a|b||c|",
]


def test_one_feature_by_name():
    batch = Sentence(forms=FEATS, feats=FEATS).batch
    values = ["_", "Nom", "Nom", "Acc", "Y", "", "_", "_"]
    assert keys_of(batch, "FEATS:Case") == [key_in_python(value) for value in values]
    assert keys_of(batch, "FEATS:Cas") == [key_in_python("_")] * len(FEATS)


def test_single_features():
    batch = Sentence(forms=FEATS, feats=FEATS).batch
    encoded = compile_features(parse("FEAT(STACK0)")).encode(batch)
    expected = [[piece for piece in cell.split("|") if piece and cell != "_"] for cell in FEATS]
    found = [encoded.features[a:b].tolist() for a, b in zip(encoded.start[:-1], encoded.start[1:], strict=True)]
    assert found == [[key_in_python(piece) for piece in pieces] for pieces in expected]
    assert len(encoded.features) == 12


def test_without_feat_no_single_features_are_kept():
    encoded = compile_features(parse("FEATS(STACK0)")).encode(Sentence(forms=FEATS, feats=FEATS).batch)
    assert encoded.features.size == 0
    assert encoded.start.tolist() == [0] * (len(FEATS) + 1)


def test_columns_of_attributes():
    assert column_of("FORM") == KeyColumn("FORM")
    assert column_of("SUFFIX3") == KeyColumn("FORM", "suffix", 3)
    assert column_of("FEATS:Case") == KeyColumn("FEATS", "feature", name="Case")
    assert column_of("LOWER") == KeyColumn("FORM", "lower")
    assert [column_of(name) for name in ("DEP", "LEFT", "RIGHT", "DISTANCE", "FEAT")] == [None] * 5
