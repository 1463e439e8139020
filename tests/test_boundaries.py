"""Whatever a user hands to the public functions: work, or one sentence of ours; never an error of the inside."""

import os
from pathlib import Path

import pytest

import headway
from headway import HeadwayError, Sentence
from headway.text.segmenter.exceptions import read_exceptions

DOGS = Sentence(forms=["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])
NO_LIST = r"expected sentences, got .*; give sentences, or headway.read\(path\)"
NO_SENTENCE = r"expected a Sentence, got .*; make one of words with headway.Sentence\(\['Dogs', 'bark'\]\)"


class TokenList(list):
    """A sentence as the package conllu has it."""

    def serialize(self):
        return ""


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (None, "None is not a path; name a file, or give an open one"),
        (3, "3 is not a path"),
        (b"x", "'x' is not a path"),
        ([], "a list is not a path"),
        (str(DOGS), "is not a path; headway.from_conllu reads CoNLL-U from a string"),
        ("a\0b", "is not a path"),
        (
            "a\ud800",
            r"'a\\ud800' holds half a character \(the lone surrogate '\\ud800'\), which no path can hold; name a file",
        ),
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
        ("dogs.conllu", NO_LIST),
        (3, NO_LIST),
        ([["Dogs", "bark"]], NO_SENTENCE),
        (["Dogs"], NO_SENTENCE),
        ([None], NO_SENTENCE),
        ([TokenList()], "expected a Sentence, got a TokenList; make sentences with headway.from_conllu"),
        (list(DOGS), "expected a Sentence, got a Token; give a list of sentences, not of words"),
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
    with pytest.raises(HeadwayError, match="5 is not a path; name a file"):
        headway.write(DOGS, 5)


@pytest.mark.parametrize(
    ("treebank", "message"),
    [
        (None, "expected a treebank, got None; give a path, an open file or sentences"),
        (3, "expected a treebank, got 3"),
        ([["Dogs", "bark"]], NO_SENTENCE),
        ([TokenList()], "from_conllu"),
        ({3: 1.0}, "3 is not a path"),
        ([], "the treebank has no sentences"),
        ([Sentence(forms=["a"])], "<Sentence>:1: this sentence has no heads"),
    ],
)
def test_training_refuses_what_is_no_treebank(treebank, message):
    with pytest.raises(HeadwayError, match=message):
        headway.train(treebank)


class Table(dict):
    """Columns as a table of pandas has them: going through it gives their names."""

    columns = ("form", "upos")


@pytest.mark.parametrize("words", [Table(form=["Dogs"], upos=["NOUN"]), {"form": ["Dogs"]}, {"Dogs", "bark"}])
def test_what_has_no_order_or_is_a_whole_table_are_no_words(words):
    for column in ("forms", "upos"):
        columns = {"forms": ["Dogs", "bark"], column: words}
        with pytest.raises(
            HeadwayError, match=f"{column}: expected a list, got a .*; give one with a value for each word"
        ):
            Sentence(**columns)
    with pytest.raises(HeadwayError, match="expected a treebank, got a Table; give a path, an open file or sentences"):
        headway.train(Table())


def test_lists_in_lists_are_no_words():
    with pytest.raises(HeadwayError, match=r"expected a string for word 1, got a list; give the words of one sentence"):
        Sentence(forms=[["Dogs", "bark"]])


def test_a_path_is_no_conllu():
    with pytest.raises(
        HeadwayError, match=r"expected CoNLL-U, got 'dogs.conllu'; read a file of this name with headway.read"
    ):
        headway.from_conllu("dogs.conllu")


def test_a_cross_validation_prints_as_one_line():
    found = headway.cross_validate([DOGS] * 4, folds=2, passes=1)
    assert repr(found) == "<CrossValidation: LAS 100.00 ± 0.00 over 2 folds (ud)>"


@pytest.mark.parametrize("system", [None, 3, [3], [["Dogs", "bark"]], "not there"])
def test_evaluation_refuses_what_is_no_treebank(system):
    for pair in ((DOGS, system), (system, DOGS)):
        with pytest.raises(HeadwayError, match=r"expected (a treebank|sentences|a Sentence), got|No such file"):
            headway.evaluate(*pair)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"output": 3}, "3 is not a path; name the model file"),
        ({"parser": ["graph"]}, r"unknown family of parsers \['graph'\]"),
        ({"features": ["FORM(STACK0)"]}, r"features: expected a feature, got 'FORM\(STACK0\)'; name a "),
        ({"features": {"FORM(STACK0)"}}, "features: expected a feature, got a set"),
        ({"features": Path("nowhere")}, "'nowhere' is neither a feature model nor a file"),
        ({"features": "\ud800"}, r"file that can be read: half a character \(the lone surrogate '\\ud800'\); known"),
        ({"options": {3: 4}}, "3 is not the name of an option"),
        ({"parser": "boosted", "boosting": []}, r"boosting = \[\] is not a boosting scheme; known are: adaboost-m1"),
        ({"parser": "boosted", "label_features": [3]}, "features: expected a feature, got 3"),
    ],
)
def test_training_refuses_options_of_another_type(keywords, message):
    with pytest.raises(HeadwayError, match=message):
        headway.train(DOGS, **keywords)


@pytest.mark.parametrize("threads", [0, "4", None, 1.5])
def test_threads_are_a_whole_number(threads):
    with pytest.raises(HeadwayError, match=r"threads = .* is (not a whole number|out of range); give"):
        list(headway.train(DOGS, passes=1).parse([DOGS], threads=threads))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"definition": 3}, "unknown definition 3; known are: all, conllx, ud"),
        ({"definition": ["ud"]}, "unknown definition"),
        ({"definition": "conllx", "punctuation": "no"}, "punctuation = 'no' is neither yes nor no; give True or False"),
    ],
)
def test_evaluation_refuses_options_of_another_type(keywords, message):
    with pytest.raises(HeadwayError, match=message):
        headway.evaluate(DOGS, DOGS, **keywords)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"trials": "x"}, "trials = 'x' is not a whole number"),
        ({"trials": 0}, "trials = 0 is out of range"),
        ({"seed": -1}, "seed = -1 is out of range"),
    ],
)
def test_significance_refuses_options_of_another_type(keywords, message):
    scores = headway.evaluate(DOGS, DOGS)
    with pytest.raises(HeadwayError, match=message):
        headway.significance(scores, scores, **keywords)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"format": ["x"]}, "unknown format"),
        ({"columns": 3}, "unknown choice of columns 3"),
        ({"format": "penn", "rules": 3}, "3 is not a path; name head rules, or a file of them"),
    ],
)
def test_reading_refuses_options_of_another_type(keywords, message, tmp_path):
    headway.write(DOGS, tmp_path / "dogs.conllu")
    with pytest.raises(HeadwayError, match=message):
        list(headway.read(tmp_path / "dogs.conllu", **keywords))


@pytest.mark.parametrize("stages", [3, [3], "english.headway"])
def test_a_parser_is_made_of_stages(stages):
    with pytest.raises(HeadwayError, match=r"expected a (list of stages|stage), got "):
        headway.Parser(stages)


def test_a_column_that_nobody_knows_is_refused():
    with pytest.raises(HeadwayError, match="there is no field 'POS'; known are: DEPREL, DEPS, FEATS"):
        DOGS.column("POS")


def test_names_of_files_that_are_written_hold_whole_characters(tmp_path):
    with pytest.raises(HeadwayError, match=r"holds half a character .* which no path can hold; name a file"):
        headway.write(DOGS, f"{tmp_path}/a\ud800")
    with pytest.raises(HeadwayError, match=r"holds half a character .*; name a file of exceptions"):
        read_exceptions("a\ud800")
    path = f"{tmp_path}/a\udcff.conllu"  # as Python has the byte FF in the name of a file
    headway.write(DOGS, path)
    assert list(headway.read(path)) == [DOGS]
