"""Accuracies are printed by the words that are wrong, as eval.pl of CoNLL-X prints them."""

import shutil
import subprocess

import pytest

from headway import Sentence
from headway.evaluation.evaluate import evaluate
from headway.evaluation.scores import Accuracy, Score

TIES = [(23, 160, "14.38"), (49, 160, "30.62"), (51, 160, "31.88"), (87, 160, "54.38"), (93, 160, "58.12")]
"""Words right, of how many, and what eval.pl prints; 100 · right / all is rounded the other way."""


@pytest.mark.parametrize(("right", "total", "printed"), TIES)
def test_ties_are_rounded_as_eval_pl_does(right, total, printed):
    assert str(Accuracy(right, total, total)) == printed
    assert str(Score(right, total, total)) != printed
    assert Accuracy(right, total, total).f1 == right / total


def test_nothing_right_of_nothing_is_zero():
    assert str(Accuracy(0, 0, 0)) == "0.00"


@pytest.mark.skipif(shutil.which("perl") is None, reason="needs perl")
def test_perl_prints_the_same_of_every_count_where_roundings_are_near_a_tie():
    counts = [(right, total) for total in (7, 8, 160, 320, 800, 1600) for right in range(total + 1)]
    program = r'while (<>) { my ($w, $t) = split; printf "%.2f\n", 100-$w*100.0/$t }'
    lines = "".join(f"{total - right} {total}\n" for right, total in counts)
    found = subprocess.run(["perl", "-e", program], input=lines, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [str(Accuracy(right, total, total)) for right, total in counts]


@pytest.mark.parametrize("definition", ["conllx", "all"])
def test_the_scores_of_two_files_with_a_tie(definition):
    gold = Sentence(forms=["word"] * 160, heads=[0, *[1] * 159], deprels=["label"] * 160)
    system = gold.replace(deprels=["label"] * 23 + ["other"] * 137)
    scores = evaluate([gold], [system], definition=definition)
    assert str(scores["LAS"]) == str(scores["LA"]) == "14.38" and "LAS 14.38, UAS 100.00" in str(scores)
    assert str(evaluate([gold], [system], definition="ud")["LAS"]) == "14.37"
