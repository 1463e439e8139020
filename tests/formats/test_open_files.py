"""Open files and strings are read as files at a path are."""

import gzip
import io
import lzma

import pytest

import headway
from headway import HeadwayError, Sentence

SENTENCES = [
    Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"]),
    Sentence(forms=["Él", "duerme"], heads=[2, 0], deprels=["nsubj", "root"]),
]
TEXT = "".join(f"{sentence}\n" for sentence in SENTENCES)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "dogs.conllu"
    path.write_text(TEXT, "utf-8")
    return path


def test_a_string_is_read_as_a_file_is():
    assert headway.from_conllu(TEXT) == SENTENCES
    assert headway.from_conllu(TEXT.rstrip()) == SENTENCES
    assert headway.from_conllu(TEXT.replace("\n", "\r\n")) == SENTENCES


def test_what_is_wrong_with_a_string_is_said_with_its_line():
    with pytest.raises(HeadwayError, match="<text>:5: head '9' is beyond the last word"):
        headway.from_conllu(TEXT.replace("duerme\t_\t_\t_\t_\t0", "duerme\t_\t_\t_\t_\t9"))
    with pytest.raises(HeadwayError, match="<text>: the file is empty"):
        headway.from_conllu(" \n")
    with pytest.raises(HeadwayError, match=r"expected a string, got a list; read a file with headway.read"):
        headway.from_conllu([TEXT])


@pytest.mark.parametrize("mode", ["r", "rb"])
def test_an_open_file_is_read_and_stays_open(path, mode):
    with path.open(mode) as file:
        assert list(headway.read(file)) == SENTENCES
        assert not file.closed


def test_a_file_in_another_encoding_is_read_as_it_was_opened(tmp_path):
    path = tmp_path / "latin.conllu"
    path.write_text(TEXT, "latin-1")
    with path.open(encoding="latin-1") as file:
        assert list(headway.read(file)) == SENTENCES
    with (
        path.open(encoding="utf-8") as file,
        pytest.raises(HeadwayError, match=r"latin.conllu: byte 0xc9 is not a character in utf-8"),
    ):
        list(headway.read(file))


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress, lzma.compress])
def test_bytes_in_memory_are_decompressed(squeeze):
    assert list(headway.read(io.BytesIO(squeeze(TEXT.encode())), format="conllu")) == SENTENCES


def test_an_open_file_is_read_from_where_it_stands(path):
    with path.open() as file:
        while file.readline().strip():
            pass
        assert list(headway.read(file)) == SENTENCES[1:]


def test_an_open_file_is_read_once(path):
    with path.open() as file:
        reader = headway.read(file)
        assert list(reader) == SENTENCES
        with pytest.raises(HeadwayError, match=r"dogs.conllu: an open file can be read once; give its path"):
            list(reader)
    with pytest.raises(HeadwayError, match=r"dogs.conllu: this file is closed"):
        list(headway.read(file))


def test_open_files_are_good_wherever_a_treebank_is(path):
    with path.open() as gold, path.open("rb") as system:
        assert str(headway.evaluate(gold, system)["LAS"]) == "100.00"
    with path.open() as file:
        parser = headway.train(file, passes=1)
    with path.open() as one, path.open("rb") as two:
        assert [len(sentence) for sentence in parser.parse([one, two])] == [2, 2, 2, 2]


def test_readers_print_their_file(path):
    assert repr(headway.read("dogs.conllu")) == "<Reader of dogs.conllu>"
    assert repr(headway.read(io.BytesIO(b""))) == "<Reader of <open file>>"
