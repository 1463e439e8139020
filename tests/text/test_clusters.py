"""Nothing is cut inside a grapheme cluster; `regex` on the whole text is the reference."""

import unicodedata
from itertools import pairwise

import pytest
import regex
import segmented_texts as texts
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headway.data.placing import is_space
from headway.data.sentence import views
from headway.text.segmenter.characters import Stretches, codes_of
from headway.text.segmenter.clusters import Clusters
from headway.text.segmenter.exceptions import exceptions_from
from headway.text.segmenter.multiword_tokens import Splitter

STICKY = [
    *"e\u0301\u0308\u200d\ufe0f\u20e3",
    "👍",
    "🏽",
    "👩",
    "🇬",
    "🇷",
    "क",
    "्",
    "ष",
    "ि",
    "ᄀ",
    "ᅡ",
    "ᆨ",
    "가",
    "각",
    "\u0600",
    "a",
    "1",
    ".",
    " ",
    "\u00a9",
]
odd = st.lists(st.sampled_from(STICKY) | st.characters(codec="utf-8"), max_size=30).map("".join)


def inside(text):
    """The places inside of clusters."""
    return {at for match in regex.finditer(r"\X", text) for at in range(match.start() + 1, match.end())}


@settings(max_examples=300)
@given(odd, st.lists(st.integers(0, 30), max_size=3))
@example("🇬🇷🇬🇷", [1])
def test_clusters_are_those_of_regex_in_every_stretch(text, stops):
    stops = sorted({0, len(text), *(at for at in stops if at < len(text))})
    pieces = [piece.strip() for piece in (text[a:b] for a, b in pairwise(stops))]
    pieces = [piece for piece in pieces if piece and not any(map(is_space, piece))]
    ends = [sum(map(len, pieces[: number + 1])) for number in range(len(pieces))]
    begins = [end - len(piece) for end, piece in zip(ends, pieces, strict=True)]
    found = Clusters.of(Stretches.of(codes_of("".join(pieces)), begins, ends))
    expected = {begin + at for begin, piece in zip(begins, pieces, strict=True) for at in inside(piece)}
    assert set(found.inside.nonzero()[0].tolist()) == expected


@settings(max_examples=150)
@given(odd | texts.text)
def test_no_token_ends_inside_of_a_cluster(text):
    text = " ".join(text.replace("\0", " ").replace("\ufeff", " ").split())
    mine = exceptions_from(["e", "a", "🏽", "\\w\t\tpattern"])
    for how in ({}, {"lines": True}, {"exceptions": mine}):
        found, at = inside(text), 0
        for sentence in views(texts.segmenter().segment(text, **how)):
            for form in sentence.forms:
                at = text.index(form, at) + len(form)
                assert at not in found


@pytest.mark.parametrize(
    "text", ["Ναι, είναι ωραία", "Crème à Paris", "Żółć i ďábel", "tiếng Việt", "İstanbul güzel", "ёлка й"]
)
def test_decomposed_letters_are_not_torn(text):
    for form in ("NFC", "NFD"):
        written = unicodedata.normalize(form, text)
        tokens = [token for sentence in views(texts.segmenter().segment(written)) for token in sentence.forms]
        assert tokens == regex.findall(r"[\w]+|[^\w\s]", written)


def test_words_of_multiword_tokens_do_not_begin_with_an_accent():
    scripts = Splitter(("0:-1 -1:",), ((0,),), None, None, None, None)  # type: ignore[arg-type]
    assert scripts.words(1, "c'è") == ["c'", "è"]
    assert scripts.words(1, unicodedata.normalize("NFD", "c'è")) is None
