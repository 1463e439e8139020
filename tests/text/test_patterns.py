"""Text as it is written today: addresses, names, tags and numbers are tokens where the treebank does not cut them."""

import time
from itertools import pairwise

import pytest
import segmented_texts as texts

import headway
from headway import HeadwayError
from headway.data.formats.reading import from_conllu
from headway.data.sentence import views
from headway.data.sources import batches_of
from headway.stages.contract import Packed
from headway.text.segmenter.characters import Stretches, codes_of
from headway.text.segmenter.exceptions import exceptions_from
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.patterns import PATTERNS, matches_in
from headway.text.segmenter.segmenter import Segmenter
from headway.text.segmenter.spaces import original_text

TODAY = {
    "English": "See|https://www.example.com/a?b=c&d=1|,|or|ask|jane.doe+x@mail.example.org|.\n"
    "Thanks|@anna_b|,|#Nature2024|is|12,5%|better|(|www.example.com/Set_(math)|)|at|10:30|👍🏽|!",
    "Greek": "Δες|το|https://el.wikipedia.org/wiki/Αθήνα_(πόλη)|ή|γράψε|στο|info@example.gr|,|@νίκος|:|12,5%|👩‍👩‍👧‍👦|.",
    "German": "Siehe|www.beispiel.de/straße|(|oder|max@beispiel.de|)|;|am|3.5.2024|kostet|es|1.299,99|€|.\n"
    "#Köln|@müller|🇩🇪|!",
    "Russian": "Смотри|https://пример.рф/путь|,|пиши|на|ivan@example.ru|!\n#Москва|🇷🇺|🇫🇷|12,5%|роста|.",
    "Hindi": "ईमेल|ram@example.in|पर|लिखें|,|#भारत|में|12.5%|वृद्धि|हुई|👍🏿|।|@राम|को|देखें|!",
    "Turkish": "Şuna|bak|:|http://örnek.com.tr/a|,|@ayşe_k|ve|#İstanbul|:|%12,5|arttı|❤️|!",
    "Korean": "한국어|#서울|@민수|kim@example.kr|12.5%|올랐다|👨🏻‍💻|.",
    "Arabic": "شاهد|https://example.com/أ|واكتب|إلى|info@example.com|،|#مصر|١٢٫٥٪|مُحَمَّد|.",
}
"""Texts and their tokens; a bar that is no part of the text stands between tokens, a line for each sentence."""
GLUED = frozenset(",.:;!?)،।")


def as_text(line):
    """The text of tokens, with spaces where one writes them."""
    tokens = line.split("|")
    spaces = [" " if after not in GLUED and before != "(" else "" for before, after in pairwise(tokens)]
    return "".join(map("".join, zip(tokens, [*spaces, ""], strict=True)))


def cut(text, segmenter=None, **how):
    found = list(views((segmenter or texts.segmenter()).segment(text, **how)))
    assert original_text(found) == text
    return [form for sentence in found for form in sentence.forms]


@pytest.mark.parametrize("language", TODAY)
def test_text_in_eight_languages(language):
    lines = TODAY[language].split("\n")
    assert cut(" ".join(map(as_text, lines))) == [token for line in lines for token in line.split("|")]


def test_chinese_has_no_spaces_around_addresses():
    tokens = cut("请看https://www.example.cn/a?b=c。写信给li.wei@example.cn，增长了12.5%！")
    assert {"https://www.example.cn/a?b=c", "li.wei@example.cn", "12.5%", "，", "！"} <= set(tokens)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(see http://a.bc/d).", ["http://a.bc/d"]),
        ("http://a.bc/d_(e)f, www.x.org... mailto:a@b.cd", ["http://a.bc/d_(e)f", "www.x.org", "mailto:a@b.cd"]),
        ("a@b a@b.c.dé. me@x.io> a@b.c x@y.xn--p1ai", ["a@b.c.dé", "me@x.io", "x@y.xn--p1ai"]),
        ("@me@x.social 5@2.50 @ home a@@b", ["@me@x.social", "2.50"]),
        ("#a1 #1 a#b ##c &#x20; C#.", ["#a1"]),
        ("1.000,5 5% 3.5. 1,2 A4.5 5%x ..7.5 192.168.0.1:80", ["1.000,5", "5%", "3.5", "1,2", "192.168.0.1:80"]),
    ],
)
def test_what_patterns_match(text, found):
    matches = matches_in(Stretches.of(codes_of(text), [0], [len(text)]), tuple(PATTERNS))
    assert [text[begin:end] for begin, end in zip(matches.begins, matches.ends, strict=True)] == found


def test_no_pattern_goes_beyond_a_paragraph():
    assert cut("see 12\n\n.5 and @\n\nanna")[1] == "12"
    assert cut("@\n\nanna") == ["@", "anna"]


@pytest.mark.parametrize(
    "unit", ["1", "1.", "a@", "@a", "#", "http://", "http://(", "www.(a", "a-", "%1", "漢1.", "x@x."]
)
def test_time_is_linear(unit):
    text = (unit * 120_000)[:120_000]
    start = time.process_time()
    matches_in(Stretches.of(codes_of(text), [0], [len(text)]), tuple(PATTERNS))
    assert time.process_time() - start < 1.5, "a quadratic pattern takes minutes"


def treebank(*sentences):
    """Sentences whose tokens stand between bars, with a space behind each but where `+` follows."""
    rows = []
    for sentence in sentences:
        for number, token in enumerate(sentence.split("|"), 1):
            misc = "SpaceAfter=No" if token.endswith("+") else "_"
            rows.append(f"{number}\t{token.removesuffix('+')}" + "\t_" * 7 + f"\t{misc}\n")
        rows.append("\n")
    return list(batches_of(from_conllu("".join(rows))))


def trained(*sentences, **options):
    training = SegmenterOptions(passes=3, **options).begin(treebank(*sentences))
    for number in range(1, 4):
        training.step(number, lambda share: None)
    return training.candidates()[0]


def test_what_the_treebank_cuts_stays_cut():
    cuts = trained(*["it|grew|12,5+|%|.", "so|did|7+|%|.", "ask|@+|anna|now|."] * 9)
    assert cuts.patterns == ("url", "email", "tag", "number")
    assert cut("up 3,5%, says @bob at b@c.de", cuts)[:4] == ["up", "3,5", "%", ","]
    whole = trained(*["it|grew|12,5%+|.", "so|did|7%+|.", "ask|@anna|now+|."] * 9)
    assert set(whole.patterns) == set(PATTERNS)


def test_one_odd_token_says_nothing():
    assert set(trained(*["I|say|7%+|.", "ask|him|now+|."] * 9, "just|@+|anna+|.").patterns) == set(PATTERNS)


def test_they_can_be_switched_off(tmp_path):
    url = "https://www.example.gr/a?b=c&d=1"
    assert trained("I|go+|.", patterns=False).patterns == ()
    segmenter = texts.segmenter()
    assert cut(url) == [url] and len(cut(url, segmenter.without_patterns())) > 1
    parser = headway.Parser([segmenter])
    story = tmp_path / "story.txt"
    story.write_text(url, "utf-8")
    [sentence] = parser.parse(story)
    [torn] = parser.parse(story, patterns=False)
    assert sentence.forms == [url] and len(torn) > 1
    assert len(parser(url)[0]) == 1 and len(parser(url, patterns=False)[0]) > 1


def test_exceptions_come_before_patterns():
    mine = exceptions_from(["12,5%\t12,5 %", "[A-Z]{2,}-\\d+\t\tpattern"])
    text = "12,5% of HW-123, X-1 and 13,5%."
    assert cut(text, exceptions=mine)[:5] == ["12,5", "%", "of", "HW-123", ","]
    assert "13,5%" in cut(text, exceptions=mine)


def test_exceptions_do_not_tear_addresses():
    mine = exceptions_from(["gr", "%", "https", "www.a.gr\twww. a.gr", "[a-z]\t\tpattern"])
    text = "https://b.gr/x x@example.gr 5% www.a.gr"
    assert cut(text, exceptions=mine) == ["https://b.gr/x", "x@example.gr", "5", "%", "www.", "a.gr"]


def test_they_are_saved_and_older_models_have_none():
    header, arrays = texts.segmenter().pack()
    again = Segmenter.unpack(Packed(header, arrays), "here")
    assert again.patterns == texts.segmenter().patterns != ()
    older = Packed({name: value for name, value in header.items() if name != "patterns"}, arrays)
    Segmenter.schema.check(*older, "here")
    old = Segmenter.unpack(older, "here")
    assert old.patterns is None and "patterns" not in old.pack().header
    assert len(cut("https://www.example.gr/a?b=c&d=1", old)) > 1
    with pytest.raises(HeadwayError, match="patterns"):
        Segmenter.schema.check({**header, "patterns": ["(a+)+"]}, arrays, "here")
