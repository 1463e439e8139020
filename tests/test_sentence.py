import pytest
from hypothesis import given
from strategies import trees

from headway import EmptyNode, HeadwayError, Multiword, Sentence


@pytest.fixture
def sentence():
    return Sentence(
        forms=["Do", "n't", "sleep"],
        lemmas=["do", "not", "sleep"],
        upos=["AUX", "PART", "VERB"],
        heads=[3, 3, 0],
        deprels=["aux", "advmod", "root"],
        misc=["_", "_", "SpaceAfter=No"],
        comments=["# sent_id = a1", "# note"],
        multiwords=[Multiword(1, 2, "Don't")],
        empty_nodes=[EmptyNode(0, 1, "you", deps="3:nsubj"), EmptyNode(3, 1, "please")],
    )


def test_a_sentence_built_from_columns_reads_back(sentence):
    assert len(sentence) == 3
    assert sentence.forms == ["Do", "n't", "sleep"]
    assert sentence.xpos == ["_"] * 3
    assert sentence.heads.tolist() == [3, 3, 0]
    assert sentence.multiwords == [Multiword(1, 2, "Don't")]
    assert sentence.empty_nodes == [EmptyNode(0, 1, "you", deps="3:nsubj"), EmptyNode(3, 1, "please")]
    assert sentence.comments == ["# sent_id = a1", "# note"]
    assert sentence.sent_id == "a1"
    assert sentence.text == "Don't sleep"
    assert str(sentence).splitlines()[2].startswith("0.1\tyou")


def test_replacing_changes_nothing_else(sentence):
    changed = sentence.replace(heads=[0, 1, 1], deprels=["root", "x", "y"])
    assert changed.heads.tolist() == [0, 1, 1]
    assert changed.replace(heads=sentence.heads, deprels=sentence.deprels).batch.text == sentence.batch.text
    assert sentence.heads.tolist() == [3, 3, 0]


def test_heads_cannot_be_written_to(sentence):
    with pytest.raises(ValueError, match="read-only"):
        sentence.heads[0] = 1


def test_line_separators_of_unicode_stay_inside_their_cell():
    sentence = Sentence(forms=["a\u2028b", "c\x0bd"], heads=[0, 1])
    assert sentence.replace(deprels=["r", "s"]).forms == ["a\u2028b", "c\x0bd"]


@given(trees())
def test_every_tree_is_accepted(heads):
    assert Sentence(forms=["x"] * len(heads), heads=heads).heads.tolist() == heads


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"forms": ["a", "b"], "heads": [0]}, "differ in length"),
        ({"forms": ["a", "b"], "heads": [2, 1]}, "has head 0"),
        ({"forms": ["a", "b", "c"], "heads": [0, 3, 2]}, "cycle"),
        ({"forms": ["a"], "heads": [2]}, "beyond the last word"),
        ({"forms": ["a\nb"], "heads": [0]}, "line break"),
        ({"forms": ["a\tb"], "heads": [0]}, "11 columns"),
        ({"forms": []}, "no words"),
        ({"forms": ["a"], "multiwords": [Multiword(1, 2, "x")]}, "ends after the last word"),
    ],
)
def test_impossible_sentences_are_refused(columns, message):
    with pytest.raises(HeadwayError, match=message):
        Sentence(**columns)


def test_a_column_the_format_lacks_cannot_be_replaced(sentence):
    with pytest.raises(HeadwayError, match="no column for 'colour'"):
        sentence.replace(colour=["a", "b", "c"])
    with pytest.raises(HeadwayError, match="3 words"):
        sentence.replace(heads=[0])
