"""Odd files cost no more than others: one endless line, blank lines only, a pipe that brings byte after byte."""

import gzip
import lzma
import os
import subprocess
import sys
import threading
import tracemalloc
from time import perf_counter

import pytest

import headway
from headway.base.errors import FormatError
from headway.data.formats.recognition import FARTHEST, MOST_BLANK, beginning, detect

ROW = b"1\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"


def refusal(path, **options):
    with pytest.raises(FormatError) as error:
        list(headway.read(path, **options))
    return str(error.value).removeprefix(str(path))


def test_a_file_without_line_ends_is_refused_early(tmp_path):
    path = tmp_path / "line.txt.gz"
    path.write_bytes(gzip.compress(b"x" * (300 << 20), 1))
    begin = perf_counter()
    said = refusal(path)
    assert said.startswith(":1: 'xxxx") and "has no columns, as if it were raw text" in said
    assert perf_counter() - begin < 5


@pytest.mark.parametrize(
    "line",
    [
        "To kendte russiske historikere Andronik Mirganjan og Igor Klamkin tror ikke , at Rusland kan udvikles .",
        "One two three four five six seven eight nine ten",
        "Dogs bark .",
    ],
)
def test_long_lines_of_words_are_raw_text_too(line, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(f"{line}\n{line}\n", "utf-8")
    assert "has no columns, as if it were raw text; give a treebank, which has a line for each word" in refusal(path)
    path.write_text("1 Dogs _ N N _ 2 SBJ _ _\n2 bark _ V V _ 0 ROOT _ _\n\n", "utf-8")
    assert [sentence.forms for sentence in headway.read(path)] == [["Dogs", "bark"]]


def test_a_treebank_without_line_ends_is_refused_in_linear_time(tmp_path):
    path = tmp_path / "line.conllu"
    path.write_bytes(b"1\t" * (40 << 20))
    begin = perf_counter()
    assert "no blank line in the 64 MiB from here" in refusal(path)
    assert perf_counter() - begin < 10


@pytest.mark.parametrize("options", [{}, {"format": "conllu"}, {"format": "penn"}], ids=str)
def test_blank_lines_only_take_no_memory(tmp_path, options):
    path = tmp_path / "blank.conllu"
    path.write_bytes(b"\n" * (24 << 20))
    tracemalloc.start()
    said = refusal(path, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said == ": the first 4 MiB are blank; give a treebank"
    assert peak < 40 << 20
    path.write_bytes(b"\n" * 100)
    assert refusal(path, **options) == ": the file is empty; give a treebank"


def test_many_blank_lines_before_a_sentence_are_read_over(tmp_path):
    path = tmp_path / "late.conllu"
    path.write_bytes(b"\n" * 1_000_000 + ROW + b"\n")
    [sentence] = headway.read(path)
    assert sentence.line == 1_000_001 and sentence.forms == ["Dogs"]


def test_the_beginning_of_a_file_does_not_depend_on_its_pieces():
    text = b"\n\n# c\n" + ROW * 3 + b"\n" + ROW * 9
    whole = beginning(iter([text]))
    for size in (1, 2, 3, 7, 50):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        start = beginning(iter(pieces))
        assert detect(start, "x") == detect(whole, "x") == "conllu"
        blank = text.index(b"\n\n", 10) + 2
        assert blank <= len(start) < blank + size and text.startswith(start)


def test_the_beginning_of_a_file_has_an_end():
    assert len(beginning(iter([b"x" * 1000] * (FARTHEST // 1000 + 5)))) < FARTHEST + 1000
    assert len(beginning(iter([b"\n" * 1000] * (MOST_BLANK // 1000 + 5)))) < MOST_BLANK + 1000
    begin = perf_counter()
    beginning(iter([b"x"] * 300_000))
    assert perf_counter() - begin < 5


def test_markup_without_brackets_is_looked_at_in_linear_time():
    begin = perf_counter()
    assert detect(b"<s>  \t " * 30_000 + b"x", "x") != "penn"
    assert perf_counter() - begin < 5
    assert detect(b"<DOC>\n<S ID=1>  \n\n (S (NN x))", "x") == "penn"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("first", [1, 2, 5])
def test_compressed_pipes_may_begin_with_a_byte(pack, first, tmp_path):
    data = pack(ROW + b"\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        with pipe.open("wb", buffering=0) as stream:
            stream.write(data[:first])
            threading.Event().wait(0.3)
            stream.write(data[first:])

    writer = threading.Thread(target=write)
    writer.start()
    [sentence] = headway.read(pipe)
    writer.join()
    assert sentence.forms == ["Dogs"]


def test_compressed_standard_input_may_begin_with_a_byte():
    program = "import headway; print([s.forms for s in headway.read('-')])"
    reader = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    data = gzip.compress(ROW + b"\n")
    reader.stdin.write(data[:1])
    reader.stdin.flush()
    threading.Event().wait(1)
    out, _ = reader.communicate(data[1:], timeout=60)
    assert out == b"[['Dogs']]\n"


@pytest.mark.parametrize("byte", [b"\x1f", b"\xfd"])
def test_a_file_that_begins_like_a_compressed_one(byte, tmp_path):
    path = tmp_path / "odd.conllu"
    path.write_bytes(byte)
    assert refusal(path)


def test_bytes_that_are_no_text_have_their_lines(tmp_path):
    bad = ROW.replace(b"Dogs", b"H\xfcnde")
    path = tmp_path / "latin.conllu"
    path.write_bytes(b"\n\n" + (ROW + b"\n") * 2 + (b"# c\n" + bad + b"\n\n") * 3 + ROW + b"\n")
    reader = headway.read(path, on_error="skip")
    assert len(list(reader)) == 3
    assert reader.report.left_out == [8, 12, 16]
