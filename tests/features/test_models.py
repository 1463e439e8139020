"""The feature models that come with headway, and those from files."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from headway.base.errors import HeadwayError
from headway.features.arcs import compile_arcs
from headway.features.compile import compile_features
from headway.features.language import parse
from headway.features.pairs import compile_pairs
from headway.features.registry import feature_model, names
from headway.features.sequences import compile_characters, compile_sequence
from headway.features.vocabulary import ALIASES, ATTRIBUTES, STEPS
from headway.text.lemmatizer.word_keys import ATTRIBUTES as LEMMATIZED
from headway.text.segmenter.multiword_tokens import COLUMNS
from headway.text.tagger.word_knowledge import ATTRIBUTES as TAGGED

COUNTS = {
    "malt-14": 14,
    "malt-14+pairs": 105,
    "malt-14+pairs-lexical": 100,
    "zhang-nivre": 72,
    "local": 33,
    "local+between": 34,
}
GRAPH = ("mst", "mst-siblings", "graph-default")
LOCAL = ("local", "local+between", "local-default", "mst-pairs")
TEXT = ("segmenter",)
WORDS = ("lemmatizer",)
TOKENS = ("splitter",)
TAGS = ("tagger-default", "tagger-ratnaparkhi")


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_of_the_papers(name):
    assert len(feature_model(name)) == COUNTS[name]


@pytest.mark.parametrize("name", names())
def test_each_has_every_feature_once_and_compiles(name):
    features = feature_model(name)
    assert len({frozenset(feature.terms) for feature in features}) == len(features)
    compiled = (
        compile_arcs(features)
        if name in GRAPH
        else compile_characters(features).sequence
        if name in TEXT
        else compile_sequence(features, LEMMATIZED)
        if name in WORDS
        else compile_sequence(features, COLUMNS)
        if name in TOKENS
        else compile_sequence(features, (*TAGGED, "UPOS"), ("UPOS", "XPOS", "FEATS"))
        if name in TAGS
        else compile_pairs(features, "XPOS")
        if name in LOCAL
        else compile_features(features)
    )
    assert sorted(compiled.features) == sorted(features)


def test_malt_14_with_pairs_is_malt_14_and_its_pairs():
    alone, paired = feature_model("malt-14"), feature_model("malt-14+pairs")
    assert paired[:14] == alone
    assert paired[14:] == [a & b for a, b in combinations(alone, 2)]
    assert len(paired[14:]) == 91


def test_the_lexical_selection_leaves_out_five_pairs_of_words():
    whole, chosen = feature_model("malt-14+pairs"), feature_model("malt-14+pairs-lexical")
    kept = {frozenset(feature.terms) for feature in chosen}
    left_out = [feature for feature in whole if frozenset(feature.terms) not in kept]
    assert len(left_out) == len(whole) - len(chosen) == 5
    assert all([term.attribute for term in feature.terms] == ["FORM", "FORM"] for feature in left_out)
    assert parse("LEX(STACK0) & LEX(QUEUE0)")[0] in chosen


def test_zhang_nivre_has_the_parts_of_its_tables():
    features = feature_model("zhang-nivre")
    baseline = {"FORM", "XPOS"}
    assert sum({term.attribute for term in feature.terms} <= baseline for feature in features) == 12 + 8 + 6 + 8 + 8 + 4
    assert sum(any(term.attribute == "DISTANCE" for term in feature.terms) for feature in features) == 6
    assert sum(any(term.attribute in ("LEFT", "RIGHT") for term in feature.terms) for feature in features) == 6


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.features"
    path.write_text("\ufeffPOS(STACK0)\nLEX(STACK0)\n", "utf-8")
    assert feature_model(str(path)) == parse("POS(STACK0)\nLEX(STACK0)")
    path.write_text("POS(STAKC0)\n")
    with pytest.raises(HeadwayError, match=r"mine\.features:1: column 5: unknown place 'STAKC0'"):
        feature_model(str(path))


def test_names_come_before_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "malt-14").write_text("POS(STACK0)\n")
    assert len(feature_model("malt-14")) == 14
    assert len(feature_model("./malt-14")) == 1


@pytest.mark.parametrize("name", ["malt-15", "", ".", "no/such/file", "a\0b", "x" * 5000])
def test_unknown_names_list_the_known_ones(name):
    with pytest.raises(HeadwayError, match=r"feature model .*; known are: .*, malt-14\+pairs") as refusal:
        feature_model(name)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_files_in_another_encoding_are_refused(tmp_path):
    path = tmp_path / "latin.features"
    path.write_bytes("# größer\nPOS(STACK0)\n".encode("latin-1"))
    with pytest.raises(HeadwayError, match="the file is not UTF-8; convert it"):
        feature_model(str(path))


def test_the_page_about_features_names_everything():
    page = (Path(__file__).parents[2] / "docs" / "features.md").read_text("utf-8")
    for word in (*STEPS, *ATTRIBUTES, *ALIASES, *names()):
        assert f"`{word}`" in page
    for name, count in COUNTS.items():
        assert re.search(rf"`{re.escape(name)}`.* \| {count} \|", page)
