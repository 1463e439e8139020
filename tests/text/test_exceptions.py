"""Exceptions of users are respected exactly."""

import pytest
import segmented_texts as texts
from hypothesis import given, settings
from hypothesis import strategies as st

from headway import HeadwayError
from headway.data.sentence import views
from headway.text.segmenter.exceptions import exceptions_from, read_exceptions
from headway.text.segmenter.spaces import original_text

LINES = ["z.B.", "et al.", "gonna\tgon na", "zum\tzu dem", "don't\tdo n't\tmultiword", "# a comment", "", ":-)", "a b"]


def cut(text, lines=LINES):
    found = list(views(texts.segmenter().segment(text, exceptions=exceptions_from(lines))))
    assert original_text(found) == text.removeprefix("\ufeff")
    return found


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Er sagt z.B. Hallo", ["z.B."]),
        ("(z.B.)Und", ["z.B."]),
        ("Smith et al. They", ["et al."]),
        ("I'm gonna go", ["gon", "na"]),
        ("smile:-)Now", [":-)"]),
    ],
)
def test_tokens_are_what_the_file_says(text, tokens):
    [sentence] = [one for one in cut(text) if tokens[0] in one.forms]
    at = sentence.forms.index(tokens[0])
    assert sentence.forms[at : at + len(tokens)] == tokens
    assert at + len(tokens) < len(sentence.forms), "a sentence ends with an exception"


def test_words_of_multiword_tokens():
    [sentence] = cut("Er geht zum Arzt, don't")
    assert [(span.form, span.last - span.first) for span in sentence.multiwords] == [("zum", 1), ("don't", 1)]
    assert sentence.forms[2:4] == ["zu", "dem"] and sentence.forms[-2:] == ["do", "n't"]


def test_parts_of_longer_words_are_none():
    assert "gonna" not in LINES
    [sentence] = cut("gonnas zumba")
    assert sentence.forms == ["gonnas", "zumba"]


@settings(max_examples=60)
@given(st.lists(st.sampled_from([*texts.ODD, "z.B.", "et al.", "gonna", "a b"]), max_size=20).map("".join))
def test_text_comes_back_with_exceptions_too(text):
    if text.strip("\0\ufeff \t\r\n\x1c\x85\u2028\u2029\u3000"):
        cut(text)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["a\tb c\tmultiwrd"], r"<exceptions>:1: expected a token, .* got 'a\\tb c\\tmultiwrd'"),
        (["zum\tzu"], "<exceptions>:1: 'zum' has 'zu' as its only part; give two parts or more"),
        (["\tb"], "<exceptions>:1: expected a token"),
        (["a\tb c\tpattern"], "<exceptions>:1: expected a token, .* or 'pattern' beside no parts"),
        (["x", "(a\t\tpattern"], "<exceptions>:2: '\\(a' is no regular expression .*; write it as"),
        (["zum\tzu dem", "zum\tz um"], "<exceptions>:2: 'zum' is cut in two ways; keep one of the lines"),
    ],
)
def test_bad_lines_are_refused(lines, what):
    with pytest.raises(HeadwayError, match=what):
        exceptions_from(lines)


def test_patterns_are_tokens():
    lines = [*LINES, "[A-Z]{2,}-\\d+\t\tpattern", "b*\t\tpattern"]
    [first, second] = cut("Fix HW-12/HW-13 z.B. in HW-14.\n\nHW-", lines)
    assert first.forms == ["Fix", "HW-12", "/", "HW-13", "z.B.", "in", "HW-14", "."]
    assert "HW-" not in exceptions_from(lines).entries and second.text == "HW-"


def test_a_pattern_that_takes_too_long_is_refused():
    with pytest.raises(HeadwayError, match=r"the pattern '\(a\+\)\+\$' takes too long in 'a+.*'; write it without"):
        cut("a" * 999 + "! so", ["(a+)+$\t\tpattern"])


def test_files(tmp_path):
    path = tmp_path / "exceptions.txt"
    path.write_text("\ufeffz.B.\n", "utf-8")
    assert list(read_exceptions(path).entries) == ["z.B."]
    path.write_bytes(b"\xff")
    with pytest.raises(HeadwayError, match="not UTF-8"):
        read_exceptions(path)
    with pytest.raises(HeadwayError, match="No such file"):
        read_exceptions(tmp_path / "none")
