"""Whatever a user hands to the public functions: work, or one sentence of ours; never an error of the inside."""

import os

import pytest

import headway
from headway import HeadwayError, Sentence

DOGS = Sentence(forms=["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])
NO_LIST = "is no list of sentences; give sentences, or read a file with headway.read"
NO_SENTENCE = r"is no Sentence; make one of words with headway.Sentence\(forms=\['Dogs', 'bark'\]\)"


class TokenList(list):
    """A sentence as the package conllu has it."""

    def serialize(self):
        return ""


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (None, "None is no path; name a file, or give an open one"),
        (3, "3 is no path"),
        (b"x", "'x' is no path"),
        ([], "a list is no path"),
        (str(DOGS), "is no path; headway.from_conllu reads CoNLL-U from a string"),
        ("a\0b", "is no path"),
        (os.devnull, "null: the file is empty"),
        ("not there", "not there: No such file or directory; give a file that can be read"),
    ],
)
def test_reading_refuses_what_is_no_file(path, message):
    with pytest.raises(HeadwayError, match=message):
        list(headway.read(path))


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("dogs.conllu", f"'dogs.conllu' {NO_LIST}"),
        (3, f"3 {NO_LIST}"),
        ([["Dogs", "bark"]], f"a list {NO_SENTENCE}"),
        (["Dogs"], f"'Dogs' {NO_SENTENCE}"),
        ([None], f"None {NO_SENTENCE}"),
        ([TokenList()], r"a TokenList is no Sentence; make sentences with headway.from_conllu\(tokens.serialize\(\)\)"),
        (list(DOGS), "a Token is no Sentence; give a list of sentences, not of words"),
    ],
)
def test_writing_refuses_what_are_no_sentences(sentences, message, tmp_path):
    with pytest.raises(HeadwayError, match=message):
        headway.write(sentences, tmp_path / "x.conllu")
    assert not list(tmp_path.iterdir())


def test_one_sentence_is_as_good_as_a_list_of_one(tmp_path):
    headway.write(DOGS, tmp_path / "one.conllu")
    assert list(headway.read(tmp_path / "one.conllu")) == [DOGS]
    assert str(headway.evaluate(DOGS, DOGS)["LAS"]) == "100.00"
    with pytest.raises(HeadwayError, match="5 is no path; name a file"):
        headway.write(DOGS, 5)


@pytest.mark.parametrize(
    ("treebank", "message"),
    [
        (None, "None is no treebank; give a path, an open file or sentences"),
        (3, "3 is no treebank"),
        ([["Dogs", "bark"]], f"a list {NO_SENTENCE}"),
        ([TokenList()], "from_conllu"),
        ({3: 1.0}, "3 is no path"),
        ([], "the treebank has no sentences"),
        ([Sentence(forms=["a"])], "<Sentence>:1: this sentence has no heads"),
    ],
)
def test_training_refuses_what_is_no_treebank(treebank, message):
    with pytest.raises(HeadwayError, match=message):
        headway.train(treebank)


@pytest.mark.parametrize("system", [None, 3, [3], [["Dogs", "bark"]], "not there"])
def test_evaluation_refuses_what_is_no_treebank(system):
    for pair in ((DOGS, system), (system, DOGS)):
        with pytest.raises(HeadwayError, match=r"is no|No such file"):
            headway.evaluate(*pair)
