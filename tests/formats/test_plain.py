"""Text and words without anything else: written, read, and what is lost on the way."""

import io

import pytest

from headway import HeadwayError
from headway.formats.convert import convert
from headway.formats.reading import read

TREEBANK = """\
# newdoc
# text = Don't go!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\tWhy\twhy\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t?\t?\tPUNCT\t_\t_\t1\tpunct\t_\tSpaceAfter=No

# newpar id = 2
# text = Well
1\tWell\twell\tINTJ\t_\t_\t0\troot\t_\t_

"""


def reader(text, form=None, **how):
    file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    file.name = "file"
    return read(file, format=form, **how)


def test_conversion_to_text(tmp_path):
    losses = convert(reader(TREEBANK), tmp_path / "out.txt", "text")
    assert (tmp_path / "out.txt").read_text() == "Don't go! Why? \n\nWell \n"
    assert losses["HEAD"] == 7 and losses["UPOS"] == 7 and losses["comment lines"] == 4
    assert "multiword tokens" not in losses


def test_the_command_says_what_is_lost(run, tmp_path):
    (tmp_path / "in.conllu").write_text(TREEBANK)
    result = run("convert", str(tmp_path / "in.conllu"), "--to", "text")
    assert result.exit_code == 0 and "Don't go! Why? \n\nWell" in result.output and "not carried over" in result.stderr


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("tokens", "Dogs bark .\nCats\u00a0sleep\n\n\nWell\r\n"),
        ("vertical", "Dogs\nbark\n.\n\nCats\nsleep\n\n\nWell"),
    ],
)
def test_words_are_read(form, text):
    found = list(reader(text, form))
    assert [sentence.forms for sentence in found] == [["Dogs", "bark", "."], ["Cats", "sleep"], ["Well"]]
    assert [sentence.line for sentence in found] == ([1, 2, 5] if form == "tokens" else [1, 5, 9])
    assert found[0].text == "Dogs bark ."
    if form == "tokens":
        assert [any("newpar" in comment for comment in sentence.comments) for sentence in found] == [True, False, True]


def test_many_sentences_come_in_batches():
    batches = list(reader("a b\n" * 1000, "tokens").batches())
    assert sum(map(len, batches)) == 1000 and len(batches) > 1
    assert batches[-1].numbers[-1] == 1000


@pytest.mark.parametrize(
    ("form", "text", "what"),
    [
        ("tokens", b"a b\nc \xff\nd\n", r"file:2: the byte .* is not UTF-8"),
        ("tokens", b"a b\nc \0\nd\n", r"file:2: a NUL byte"),
        ("vertical", b"a\n\nc\tNOUN\n\nd\n", r"file:3: 'c\\tNOUN' has columns; name the format"),
    ],
)
def test_bad_lines_have_a_place(form, text, what):
    with pytest.raises(HeadwayError, match=what):
        list(reader(text, form))
    if form == "tokens":
        skipping = reader(text, form, on_error="skip")
        assert [sentence.forms for sentence in skipping] == [["a", "b"], ["d"]] and skipping.skipped == 1
