"""What makes text hard to cut is there, and agrees with the trees of the grammar."""

import re
from itertools import pairwise

import pytest

from headway.data.sample import Sample, generate
from headway.data.trees import is_projective, is_tree

ABBREVIATION = re.compile(r"(?:[A-Z]\.)+|Mr\.|Mrs\.|Dr\.|Prof\.|St\.|Mt\.|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.")
ADDED = ("Mr.", "Mrs.", "Dr.", "Prof.", "St.", "Mt.")
STOPS = (".", "?", "!", "...")


@pytest.fixture(scope="module")
def sentences():
    return list(generate(1500, seed=21, difficulties=0.5))


def test_the_usual_difficulties_are_there(sentences):
    words = [form for sentence in sentences for form in sentence.forms]
    for some in ("Mr.", "Dr.", "St.", "L.A.", "...", "“", "”", '"', "'s", "n't", "'re", "'ll", "not"):
        assert some in words, some
    assert any(re.fullmatch(r"[A-Z]\.", word) for word in words)
    assert any(re.fullmatch(r"\d+,\d{3}", word) for word in words)
    assert any(re.fullmatch(r"\d+\.\d", word) for word in words)
    assert any(token.form.lower() == "cannot" for sentence in sentences for token in sentence.multiwords)


def test_abbreviations_stand_inside_of_sentences_and_at_their_end(sentences):
    inside = sum(any(ABBREVIATION.fullmatch(form) for form in sentence.forms[:-1]) for sentence in sentences)
    final = [sentence.forms[-1] for sentence in sentences if ABBREVIATION.fullmatch(sentence.forms[-1])]
    assert inside > 50
    assert final
    for sentence in sentences:
        assert not (ABBREVIATION.fullmatch(sentence.forms[-2]) and sentence.forms[-1] == ".")


def test_only_the_end_of_a_paragraph_may_lack_a_stop(sentences):
    lacking = 0
    for sentence, after in pairwise(sentences):
        last = sentence.forms[-1]
        if last not in STOPS and not ABBREVIATION.fullmatch(last):
            lacking += 1
            assert any(comment.startswith("# newpar") for comment in after.comments)
    assert lacking > 20


def test_documents_and_paragraphs_are_numbered(sentences):
    documents = [one.metadata["newdoc id"] for one in sentences if "newdoc id" in one.metadata]
    paragraphs = [one.metadata["newpar id"] for one in sentences if "newpar id" in one.metadata]
    assert documents == [f"document-{number}" for number in range(1, len(documents) + 1)]
    assert len(set(paragraphs)) == len(paragraphs) > len(documents) > 20
    assert all("newpar id" in one.metadata for one in sentences if "newdoc id" in one.metadata)


def test_words_spaces_and_multiword_tokens_make_the_text(sentences):
    for sentence in sentences:
        assert sentence.metadata["text"] == "".join(form + space for form, space in sentence.surface()).rstrip()
        for token in sentence.multiwords:
            assert token.form == "".join(sentence.forms[token.first - 1 : token.last])


def test_trees_are_those_of_the_grammar_with_some_leaves_more_or_less():
    plain, hard = (list(generate(300, seed=4, difficulties=share)) for share in (0.0, 1.0))
    changed = 0
    for one, other in zip(plain, hard, strict=True):
        assert is_tree(other.heads)
        assert is_projective(one.heads) == is_projective(other.heads)
        rest = [label for form, label in zip(other.forms, other.deprels, strict=True) if form not in ADDED]
        assert rest in (one.deprels, one.deprels[:-1])
        changed += one.forms != other.forms
    assert changed > 150


def test_brackets_have_the_words_of_the_treebank():
    sample = Sample(sentences=200, seed=9, difficulties=0.8)
    for tree, sentence in zip(sample.brackets(), sample, strict=True):
        leaves = [form for tag, form in re.findall(r"\(([^() ]+) ([^() ]+)\)", tree) if tag != "-NONE-"]
        spelled = {"-LRB-": "(", "-RRB-": ")"}
        assert len(leaves) == len(sentence)
        assert [spelled.get(leaf, leaf) for leaf in leaves if leaf not in ("``", "''")] == [
            form for form in sentence.forms if form not in ('"', "“", "”")
        ]


def test_a_question_for_a_day_is_no_abbreviation():
    """The seed of a sentence that asks for one; its brackets have a place for the question word."""
    sample = Sample(sentences=1, seed=67)
    [sentence], [tree] = sample, sample.brackets()
    assert sentence.text == "What will a war begin on?" and sentence.xpos[0] == "WP"
    assert tree.startswith("( (SBARQ (WHNP-1 (WP What))") and "(NP (-NONE- *T*-1))" in tree
