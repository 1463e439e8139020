"""The scores of `conllx` and `all` against a count word by word."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from headway import Multiword, Sentence
from headway.base.errors import HeadwayError
from headway.evaluation.columns import treebank_columns
from headway.evaluation.evaluate import evaluate

FORMS = ["word", "dog", ".", "?!", "$", "..."]
LABELS = ["nsubj", "nsubj:pass", "punct", "root"]


@st.composite
def treebanks(draw):
    """Two lists of sentences with the same words."""
    gold, system = [], []
    for _ in range(draw(st.integers(1, 4))):
        heads = draw(trees(max_size=6))
        others = draw(st.one_of(st.just(heads), trees(min_size=len(heads), max_size=len(heads))))
        forms = [draw(st.sampled_from(FORMS)) for _ in heads]
        labels = [draw(st.sampled_from(LABELS)) for _ in heads]
        mistaken = [draw(st.sampled_from([label, label, *LABELS])) for label in labels]
        gold.append(Sentence(forms=forms, heads=heads, deprels=labels))
        system.append(Sentence(forms=forms, heads=others, deprels=mistaken))
    return gold, system


def counted(gold, system, punctuation):
    """Every score as (correct, of), word by word."""
    correct = dict.fromkeys(["LAS", "UAS", "LA", "DA", "RA", "UCM", "LCM"], 0)
    total = words = 0
    for ours, theirs in zip(gold, system, strict=True):
        unlabelled = labelled = True
        rows = zip(ours.forms, ours.heads, ours.deprels, theirs.heads, theirs.deprels, strict=True)
        for form, head, label, other_head, other_label in rows:
            words += 1
            correct["DA"] += head == other_head
            if not punctuation and set(form) <= set(".?!"):
                continue
            total += 1
            correct["UAS"] += head == other_head
            correct["LA"] += label == other_label
            correct["LAS"] += (head, label) == (other_head, other_label)
            unlabelled &= head == other_head
            labelled &= (head, label) == (other_head, other_label)
        roots = [[i for i, head in enumerate(s.heads) if head == 0] for s in (ours, theirs)]
        correct["RA"] += roots[0] == roots[1]
        correct["UCM"] += unlabelled
        correct["LCM"] += labelled
    of = {"LAS": total, "UAS": total, "LA": total, "DA": words}
    return {name: (count, of.get(name, len(gold))) for name, count in correct.items()}


@given(
    pair=treebanks(),
    definition=st.sampled_from(["conllx", "all"]),
    punctuation=st.sampled_from([None, True, False]),
)
@settings(max_examples=100)
def test_the_scores_are_those_counted_word_by_word(pair, definition, punctuation):
    gold, system = pair
    scores = evaluate(gold, system, definition=definition, punctuation=punctuation)
    with_punctuation = definition == "all" if punctuation is None else punctuation
    assert scores.definition.punctuation == with_punctuation
    expected = counted(gold, system, with_punctuation)
    assert {name: (score.correct, score.gold) for name, score in scores.metrics.items()} == expected
    assert all(score.gold == score.system for score in scores.metrics.values())


@given(pair=treebanks())
@settings(max_examples=50)
def test_with_the_same_words_ud_differs_from_all_only_by_subtypes(pair):
    gold, system = pair
    stripped = [
        [s.replace(deprels=[label.partition(":")[0] for label in s.deprels]) for s in sentences] for sentences in pair
    ]
    ud, plain = evaluate(gold, system, definition="ud"), evaluate(*stripped, definition="all")
    for name in ("LAS", "UAS", "DA", "RA", "UCM", "LCM"):
        assert (ud[name].correct, ud[name].gold) == (plain[name].correct, plain[name].gold), name


def example():
    gold = Sentence(
        forms=["Dogs", "bark", "loudly", "."],
        heads=[2, 0, 2, 2],
        deprels=["nsubj", "root", "advmod", "punct"],
    )
    return gold, gold.replace(heads=[2, 0, 2, 3], deprels=["obj", "root", "advmod", "punct"])


def test_an_example():
    gold, system = example()
    scores = evaluate([gold], [system], definition="conllx")
    assert {name: str(score) for name, score in scores.metrics.items()} == {
        "LAS": "66.67",
        "UAS": "100.00",
        "LA": "66.67",
        "DA": "75.00",
        "RA": "100.00",
        "UCM": "100.00",
        "LCM": "0.00",
    }
    assert scores["LAS"].correct == 2
    assert "LAS 66.67, UAS 100.00" in str(scores) and "punctuation does not count" in str(scores)


def test_scores_become_json():
    gold, system = example()
    found = json.loads(json.dumps(evaluate([gold], [system]).to_dict()))
    assert found["definition"] == "ud"
    assert found["scores"]["LAS"] == {
        "correct": 2,
        "gold": 4,
        "system": 4,
        "aligned": 4,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "aligned_accuracy": 0.5,
    }


def test_an_unknown_score_lists_the_known_ones():
    gold, system = example()
    with pytest.raises(HeadwayError, match="no score 'CLAS' with the definition 'all'; known are: DA, LA"):
        evaluate([gold], [system], definition="all")["CLAS"]


def test_a_sentence_cut_differently_is_no_complete_match():
    gold = [Sentence(forms=["a", "b"], heads=[0, 1]), Sentence(forms=["c"], heads=[0])]
    system = [
        Sentence(forms=["a"], heads=[0]),
        Sentence(forms=["b"], heads=[0]),
        Sentence(forms=["c"], heads=[0]),
    ]
    scores = evaluate(gold, system, definition="ud")
    assert (scores["UCM"].correct, scores["UCM"].gold, scores["UCM"].system) == (1, 2, 3)
    assert (scores["RA"].correct, scores["UAS"].correct) == (1, 2)


def test_a_sentence_with_more_words_is_no_complete_match():
    gold = Sentence(forms=["x"], heads=[0], multiwords=[Multiword(1, 1, "xy")])
    system = Sentence(forms=["x", "y"], heads=[0, 1], multiwords=[Multiword(1, 2, "xy")])
    scores = evaluate([gold], [system])
    assert (scores["UAS"].correct, scores["RA"].correct, scores["UCM"].correct) == (1, 1, 0)


def test_gold_columns_are_loaded_once_for_many_systems():
    gold, system = example()
    loaded = treebank_columns([gold])
    assert evaluate(loaded, [system]) == evaluate([gold], [system])
