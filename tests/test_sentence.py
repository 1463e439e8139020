import json

import numpy as np
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


def test_replacing_by_nothing_takes_the_tree_away(sentence):
    bare = sentence.replace(heads=None, deprels=None)
    assert not bare.is_parsed
    assert bare.deprels == ["_"] * 3
    assert sentence.replace(heads=["_"] * 3, deprels=["_"] * 3) == bare


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
        ({"forms": ["a", "b"], "heads": [0]}, "heads has 1 value for 2 words"),
        ({"forms": ["a", "b"], "heads": [2, 1]}, "has head 0"),
        ({"forms": ["a", "b", "c"], "heads": [0, 3, 2]}, "cycle"),
        ({"forms": ["a"], "heads": [2]}, "beyond the last word"),
        ({"forms": ["a\nb"], "heads": [0]}, "line break"),
        ({"forms": ["a\tb"], "heads": [0]}, "holds a tab"),
        ({"forms": []}, "no words"),
        ({"forms": ["a"], "multiwords": [Multiword(1, 2, "x")]}, "ends after the last word"),
        ({"forms": ["a"], "multiwords": [Multiword(5, 6, "x")]}, "the sentence has words 1 to 1"),
        ({"forms": ["a", "b"], "multiwords": [Multiword(1, 2, "x"), Multiword(1, 2, "y")]}, "multiword token '1-2'"),
        ({"forms": ["a"], "empty_nodes": [EmptyNode(2, 1)]}, "the sentence has words 1 to 1"),
        ({"forms": ["a"], "multiwords": [5]}, r"expected Multiword\(first, last, form, feats, misc\), got 5"),
        ({"forms": ["a"], "multiwords": [("1", 2, "x")]}, "first of .*: expected a whole number"),
        ({"forms": ["a"], "empty_nodes": [EmptyNode(0, 1, "x\ty")]}, "form of EmptyNode.* holds a tab; leave it out"),
        (
            {"forms": ["a"], "empty_nodes": [EmptyNode(0, 1, "\udc80")]},
            r"half a character \(the lone surrogate '\\udc80'\)",
        ),
        (
            {"forms": ["a"], "empty_nodes": [EmptyNode(0, 1, "")]},
            "the form of EmptyNode.* is empty; give a word, or '_'",
        ),
        ({"forms": ["a"], "empty_nodes": [EmptyNode(0, 1, 5)]}, "form of EmptyNode.*: expected a string"),
        ({"forms": ["a"], "multiwords": [Multiword(1, 1, " ")]}, "the form of Multiword.* is empty"),
        ({"forms": ["a", ""]}, "forms: word 2 is empty; give a word, or '_' where nobody knows it"),
        ({"forms": ["a", "  "]}, "forms: word 2 is empty"),
        ({"forms": ["a\0b"]}, "forms: .* of word 1 holds a NUL; leave it out"),
        ({"forms": ["a\r"]}, "forms: .* of word 1 holds a line break; leave it out"),
        ({"forms": ["a"], "comments": ["# x\ry"]}, "the comment .* holds a line break"),
        ({"forms": ["a"], "comments": ["# x\0y"]}, "the comment .* holds a NUL"),
        ({"forms": ["a"], "comments": ["# \ud800"]}, "the comment .* holds half a character"),
        ({"forms": "Dogs bark"}, r"forms = 'Dogs bark' is one string; give a list .*\['Dogs', 'bark'\]"),
        ({"forms": ["a"], "upos": "X"}, "upos = 'X' is one string"),
        ({"forms": ["a", None]}, "forms: expected a string for word 2, got None"),
        ({"forms": ["a"], "lemmas": [float("nan")]}, "lemmas: expected a string for word 1, got nan; write '_'"),
        ({"forms": ["a\ud800"]}, "half a character"),
        ({"forms": 5}, "forms: expected a list, got 5"),
        ({"forms": ["a"], "heads": [None]}, "the head of word 1 is None; give the number of a word, 0 for the root"),
        ({"forms": ["a"], "heads": [0.5]}, "the head of word 1 is 0.5"),
        ({"forms": ["a"], "heads": [float("inf")]}, "the head of word 1 is inf"),
        ({"forms": ["a"], "heads": [-1]}, "the head of word 1 is -1"),
        ({"forms": ["a"], "heads": ["x"]}, "the head of word 1 is 'x'"),
        ({"forms": ["a"], "comments": "# x"}, "comments: expected a list, got '# x'"),
        ({"forms": ["a"], "comments": ["x"]}, "expected a comment, got 'x'"),
        ({"forms": ["a"], "comments": None}, "comments: expected a list, got None"),
        ({"forms": ["a"], "multiwords": 5}, "multiwords: expected a list, got 5"),
        ({"forms": ["a"], "empty_nodes": "0.1"}, "empty_nodes: expected a list, got '0.1'"),
        ({"forms": ["a"], "comments": ["# x\n# y"]}, "expected a comment, got .*; a comment is one line"),
    ],
)
def test_impossible_sentences_are_refused(columns, message):
    with pytest.raises(HeadwayError, match=message):
        Sentence(**columns)


def test_a_column_the_format_lacks_cannot_be_replaced(sentence):
    with pytest.raises(HeadwayError, match="no column for 'colour'; known are: deprels, deps, feats, forms"):
        sentence.replace(colour=["a", "b", "c"])
    with pytest.raises(HeadwayError, match="3 words"):
        sentence.replace(heads=[0])
    with pytest.raises(HeadwayError, match="forms = 'abc' is one string"):
        sentence.replace(forms="abc")


class Series:
    """A column as pandas has it: it can be gone through, and is neither true nor false."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __bool__(self):
        raise ValueError("The truth value of a Series is ambiguous")


def test_columns_of_tables_and_generators_make_a_sentence():
    heads = Series(np.array([2.0, 0.0]))
    made = Sentence(forms=Series(["Dogs", "bark"]), upos=(tag for tag in ("NOUN", "VERB")), heads=heads)
    assert made == Sentence(forms=["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0])


def test_metadata_are_the_comments_with_an_equals_sign(sentence):
    assert sentence.metadata == {"sent_id": "a1"}
    twice = Sentence(forms=["a"], comments=["# text = 1 = 1", "# text = b", "#newpar"])
    assert twice.metadata == {"text": "1 = 1"}
    assert twice.text == "1 = 1"
    assert twice.sent_id is None


def test_sentences_of_the_same_content_are_equal(sentence):
    again = sentence.replace(lemmas=sentence.lemmas)
    assert again == sentence
    assert hash(again) == hash(sentence)
    assert {again, sentence} == {sentence}
    assert sentence.replace(lemmas=["do", "not", "snore"]) != sentence
    assert Sentence(forms=["a"]) != Sentence(forms=["a"], comments=["# x = 1"])
    assert sentence != "Do n't sleep"


def test_layers_count_when_sentences_are_compared():
    bare = Sentence(forms=["a", "b"])
    parsed = Sentence.view(bare.batch.with_layer("predicted", heads=np.array([0, 1], np.int32)), 0)
    assert parsed != bare
    assert parsed == Sentence(forms=["a", "b"], heads=[0, 1])


def test_a_sentence_as_a_dictionary_is_json(sentence):
    found = json.loads(json.dumps(sentence.to_dict()))
    assert found["metadata"] == {"sent_id": "a1"}
    assert found["tokens"][0]["form"] == "Do"
    assert found["multiwords"][0] == {"first": 1, "last": 2, "form": "Don't", "feats": "_", "misc": "_"}
    assert [node["form"] for node in found["empty_nodes"]] == ["you", "please"]


def test_what_sentences_print_is_short(sentence):
    assert repr(sentence) == "<Sentence of 3 words: Do n't sleep>"
    assert repr(Sentence(forms=["a"])) == "<Sentence of 1 word: a>"
    assert len(repr(Sentence(forms=["word"] * 5000))) < 80


def test_a_notebook_shows_the_tree(sentence):
    assert sentence._repr_svg_().startswith("<svg ")
    assert Sentence(forms=["a"])._repr_svg_() is None
