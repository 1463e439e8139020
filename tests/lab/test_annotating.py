"""Simulated annotation: what is learned from at each step, and how many words a goal takes."""

from itertools import pairwise

import pytest
from recipe_files import made, results_of

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import Sample
from headway.lab.tasks import expand
from headway.lab.tested_parsers import STEPS, STRATEGIES, simulated, words_needed

RECIPE = """
title = "Annotating"
treebanks = ["sample"]
seeds = [1, 2]
[sources.sample]
sample = {sentences = 50}
[[configuration]]
name = "select"
options = {annotate = "select"}
[[configuration]]
name = "random"
options = {annotate = "random"}
[[part]]
name = "curve"
axis = "annotated"
[[part]]
name = "needed"
[[claim]]
text = "needs at most half of the words"
part = "needed"
metric = "words for 95 %"
ratio = 2.0
better = {configuration = "select"}
worse = {configuration = "random"}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("annotating") / "train.conllu"
    Sample(sentences=60, seed=1).write(path)
    return path


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_step_adds_sentences_until_it_has_its_share_of_the_words(path, strategy):
    treebank, seen = list(headway.read(path)), []
    parser = headway.train(treebank[:10], passes=1, features="malt-14")

    def learned(sentences):
        seen.append({" ".join(sentence.forms) for sentence in sentences})
        return parser

    total, longest = sum(map(len, treebank)), max(map(len, treebank))
    found = list(simulated(path, strategy, 3, learned))
    assert tuple(step for step, _, _ in found) == STEPS
    assert all(step * total / 100 <= words < step * total / 100 + longest for step, _, words in found)
    assert all(before <= after for before, after in pairwise(seen))
    assert seen[-1] == {" ".join(sentence.forms) for sentence in treebank}
    if strategy == "longest":
        added = seen[1] - seen[0]
        assert min(len(one.split()) for one in added) >= max(len(one.split()) for one in seen[-1] - seen[1])


def test_the_words_that_a_goal_takes_lie_on_the_line_between_two_steps():
    assert words_needed([(100, 40.0), (200, 90.0), (300, 100.0)]) == pytest.approx(250)
    assert words_needed([(100, 96.0), (300, 100.0)]) == 100


def test_a_curve_and_the_words_needed_are_one_task(tmp_path):
    tasks = [task.key for _, task in expand(made(RECIPE))]
    assert len(tasks) == 2 * len(set(tasks)) == 8

    def needed(task):
        return {"needed": 400.0 + 10 * task.seed if task.options["annotate"] == "select" else 1000.0}

    found = results_of(RECIPE, tmp_path, lambda task, number: [1] * 40, costs=needed)
    assert found.value("words for 95 %", "needed", "sample", "select", None) == 415
    assert found.passes["curve"] == [1, 2, 3]


def test_a_strategy_that_is_not_there_is_a_sentence():
    with pytest.raises(HeadwayError, match=r"unknown strategy annotate = 'shortest'; known are: .*select"):
        made(RECIPE.replace('annotate = "random"', 'annotate = "shortest"'))
