"""What is written is recognised as what it is, read back as it was, and text is not taken for a treebank."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import as_file, conllu_sentence

import headway
from headway import HeadwayError, Sentence
from headway.data.formats.format import FORMATS
from headway.data.formats.reading import InputReader
from headway.data.formats.recognition import FIRST, TEXT, TREEBANK, beginning, detect, input_of, input_of_string

ROW = "1\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
CONTROLS = "\x01\x0b\x0c\x1b\x1c\x1d\x1e\x1f\x7f\x85\xa0\u2028\u2029\u200b\u3000\ufeff#()<>=|\\\U000e0001\U0010ffff"
ODD = st.one_of(
    st.text(st.sampled_from(CONTROLS), min_size=1, max_size=3),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r\0"), min_size=1, max_size=4),
).filter(lambda cell: cell.strip(" "))


def kind_of(data, name="a", size=1 << 18):
    """What is said of a file that comes in pieces: `TEXT`, or the name of a format."""
    start = beginning((data[at : at + size] for at in range(0, len(data), size)), FIRST)
    return TEXT if input_of(start, name) == TEXT else detect(start, name)


@st.composite
def odd_sentence(draw):
    """A sentence of whatever cells may hold."""
    size = draw(st.integers(1, 4))
    columns = [draw(st.lists(ODD, min_size=size, max_size=size)) for _ in range(7)]
    names = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "misc")
    return Sentence(**dict(zip(names, columns, strict=True)), heads=range(size))


@given(st.lists(odd_sentence(), min_size=1, max_size=3), st.sampled_from(sorted(FORMATS)))
def test_what_is_written_is_read_back_as_its_format(tmp_path_factory, sentences, name):
    form = FORMATS[name]
    paths = [tmp_path_factory.mktemp("odd") / f"{one}{form.suffixes[0]}" for one in "ab"]
    headway.write(sentences, paths[0], format=name)
    data = paths[0].read_bytes()
    if name == "malttab" and data.startswith(b"\xef\xbb\xbf"):
        return  # the first word of all is a byte-order mark
    reader = headway.read(paths[0])
    headway.write(reader, paths[1], format=name)
    assert (reader.format, reader.report.notes) == (name, [])
    assert paths[1].read_bytes() == data
    assert input_of(data, str(paths[0])) == TREEBANK


@given(st.lists(conllu_sentence(), min_size=1, max_size=3))
def test_conllu_with_a_comment_is_recognised_without_a_name(sentences):
    data = as_file([["# sent_id = 1", *sentences[0]], *sentences[1:]])
    assert kind_of(data) == kind_of(b"\xef\xbb\xbf" + data) == "conllu"
    assert kind_of(data.replace(b"\n", b"\r\n")) == "conllu"
    assert input_of_string(data.decode()) == "conllu"


@pytest.mark.parametrize("size", [1 << 18, (1 << 20) + 7])
@pytest.mark.parametrize(
    "lines",
    [
        "# text = " + "x" * (3 << 19) + "\n" + ROW,
        "# x\n" * (3 << 18) + ROW,
        "# x\n" + ROW.replace("Dogs", "x" * (1 << 19)),
        "# x\n" + ROW.replace("Dogs", "x" * (3 << 19)),
        ROW.replace("_\n", "SpacesAfter=" + "\\s" * (1 << 20) + "\n"),
    ],
    ids=["long comment", "many comments", "long form", "longer form", "long cell"],
)
def test_long_beginnings_of_conllu_are_conllu(lines, size):
    assert kind_of(lines.encode() + b"\n", size=size) == "conllu"
    assert input_of_string(lines) == "conllu"
    [sentence] = InputReader(io.BytesIO(lines.encode() + b"\n"))
    assert len(sentence) == 1


@pytest.mark.parametrize(
    "text",
    [
        "\tDogs bark.\n\tThey sleep.\n",
        "\t\tDogs bark.\n",
        "\ufeff\tDogs bark.\n",
        "  \t Dogs\tbark.\n",
        "Name:\tDogs that bark\n",
        "# Dogs\n\n\tDogs bark.\n",
        "# Dogs\n" * 50_000 + "Dogs bark.\n",
    ],
)
def test_tabs_alone_do_not_make_a_treebank(text):
    assert kind_of(text.encode()) == TEXT
    with pytest.raises(HeadwayError, match="as if it were raw text"):
        detect(text.encode(), "a")


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("Dogs\tNNS\n", "malttab"),
        ("(\t(\t0\tROOT\n", "malttab"),
        ("<a>\tX\t0\tROOT\n(\t(\t1\tP\n", "malttab"),
        ("#\t#\t0\tROOT\n", "malttab"),
        ("#dogs\t#\t_\t_\n\n", "malttab"),
        ("# a\tb\t3\tc\n" + ROW, "conllu"),
        (ROW.replace("\n", "\r"), "conllu"),
        ("\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n", "conllu"),
        ("(S\n\t(NP (NN dog))\t(VP (VB bark)))\n", "penn"),
    ],
)
def test_columns_and_brackets_are_told_apart(row, name):
    assert kind_of(row.encode()) == name


def test_a_long_line_of_text_is_not_read_to_its_end():
    assert len(beginning(iter([b"x y " * 1000] * 10_000), FIRST)) < FIRST + 5000
    assert len(beginning(iter([b"# x\n", *[b"x y " * 1000] * 10_000]), FIRST)) < FIRST + 5000


WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40)


@given(WORDS, st.sampled_from(["tokens", "vertical"]))
def test_sentences_of_words_are_read_back(text, kind):
    found = list(InputReader(io.BytesIO(text.encode()), input=kind))
    for sentence in found:
        assert list(headway.from_conllu(str(sentence))) == [sentence]
    written = "".join(f"{sentence}\n" for sentence in found).encode()
    if found:
        reader = headway.read(io.BytesIO(written))
        assert list(reader) == found and reader.format == "conllu" and not reader.report.notes


@pytest.mark.parametrize("kind", ["tokens", "vertical"])
@pytest.mark.parametrize("bad", [b"a\0b", b"\0", b"\xff", b"\xed\xa0\x80", b"# \0"])
def test_what_is_no_text_among_words_has_its_place(kind, bad):
    data = b"Dogs\nbark\n" + bad + b"\nloudly\n"
    with pytest.raises(HeadwayError, match=r"<open file>:3: (a NUL byte|.* is not UTF-8); .*--on-error skip"):
        list(InputReader(io.BytesIO(data), input=kind))
    kept = InputReader(io.BytesIO(data), input=kind, on_error="skip")
    assert [form for sentence in kept for form in sentence.forms] == ["Dogs", "bark", "loudly"] and kept.skipped == 1
