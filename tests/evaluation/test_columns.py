import numpy as np
import pytest

from headway import Multiword, Sentence, read, write
from headway.base.errors import HeadwayError
from headway.evaluation.columns import Names, TreebankColumns, treebank_columns
from headway.evaluation.comparison import compare


def sentences():
    return [
        Sentence(
            forms=["de", "el", "rey"],
            heads=[3, 3, 0],
            multiwords=[Multiword(1, 2, "del")],
            upos=["ADP", "DET", "NOUN"],
        ),
        Sentence(forms=["no"], heads=[0], comments=["# text = no"]),
        Sentence(forms=["a", "b"], heads=[0, 1], multiwords=[Multiword(1, 2, "ab")]),
    ]


def same(first, second):
    arrays = ("first", "heads", "spans", "forms", "upos", "deprels", "feats")
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in arrays)


@pytest.fixture
def path(tmp_path):
    write(sentences(), tmp_path / "t.conllu")
    return tmp_path / "t.conllu"


def test_files_readers_and_sentences_give_the_same_columns(path):
    columns = treebank_columns(path)
    assert columns.first.tolist() == [0, 3, 4, 6]
    assert columns.names.strings(columns.forms) == ["de", "el", "rey", "no", "a", "b"]
    assert columns.parents.tolist() == [2, 2, 6, 6, 6, 4]
    assert columns.position.tolist() == [1, 2, 3, 1, 1, 2]
    assert [(a, b, columns.names.strings(np.array([c]))[0]) for a, b, c in columns.spans] == [
        (0, 2, "del"),
        (4, 6, "ab"),
    ]
    for other in (read(path), list(read(path)), iter(read(path)), sentences()):
        assert same(columns, treebank_columns(other, columns.names))


def test_any_selection_of_sentences_is_loaded_in_its_order(path):
    first, second, third = read(path)
    expected = treebank_columns([s.replace() for s in (third, first, second, second)])
    assert same(expected, treebank_columns([third, first, second, second], expected.names))


def test_every_word_knows_its_line(path):
    columns = treebank_columns(path)
    lines = path.read_text().splitlines()
    words = [lines[line - 1].split("\t")[1] for line in columns.lines]
    assert words == columns.names.strings(columns.forms)
    assert columns.place(3) == f"{path}:7"


def test_a_sentence_without_a_tree_is_named(path):
    with pytest.raises(HeadwayError, match=r"no heads"):
        treebank_columns([*sentences(), Sentence(forms=["x"])])
    lines = path.read_text().replace("1\tno\t_\t_\t_\t_\t0", "1\tno\t_\t_\t_\t_\t_")
    path.write_text(lines)
    with pytest.raises(HeadwayError, match=rf"{path.name}:6: this sentence has no heads"):
        treebank_columns(path)


def test_no_sentences_are_an_error():
    with pytest.raises(HeadwayError, match="no sentences to evaluate"):
        treebank_columns([])


def test_columns_pass_through():
    columns = treebank_columns(sentences())
    assert isinstance(columns, TreebankColumns) and treebank_columns(columns) is columns
    assert treebank_columns(columns, columns.names) is columns
    with pytest.raises(HeadwayError, match="load both files with the same `names`"):
        treebank_columns(columns, Names())


def test_tags_are_xpos_where_there_is_no_upos():
    bare = treebank_columns([Sentence(forms=["a"], heads=[0], xpos=["NN"])])
    assert bare.names.strings(bare.tags) == ["NN"]
    assert treebank_columns(sentences()).tags.tolist() == treebank_columns(sentences()).upos.tolist()


def test_names_translate_and_test_each_string_once():
    names, seen = Names(), []
    numbers = names.encode(["a", "B", "a"])
    assert names.strings(names.translate(numbers, lambda s: seen.append(s) or s.upper())) == ["A", "B", "A"]
    assert seen == ["a", "B"]
    assert names.test(numbers, str.islower).tolist() == [True, False, True]


def test_batches_are_loaded_as_their_sentences_are(path):
    batches = list(read(path).batches())
    columns = treebank_columns(batches)
    assert same(columns, treebank_columns(path, columns.names))
    assert compare(batches, tuple(batches), definition="all").gold.right.all()
