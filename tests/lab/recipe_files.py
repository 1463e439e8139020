"""Recipes for tests, on generated treebanks, as texts; and journals of runs that never were."""

import numpy as np

from headway.lab.metrics import packed
from headway.lab.reading import recipe_from
from headway.lab.results import journal_of, results
from headway.lab.tasks import expand
from headway.runs.journal import Journal

TINY = """
title = "Two learners"
paper = "Somebody (2010), Table 2"
about = "Whether one of them is better."
treebanks = ["sample"]

[sources.sample]
sample = {sentences = 120}

[training]
features = "malt-14"
explore = 0.0
passes = 2

[[configuration]]
name = "perceptron"
options = {learner = "perceptron"}

[[configuration]]
name = "cw"
options = {learner = "cw"}

[[part]]
name = "test"

[[part]]
name = "curve"
axis = "passes"

[[table]]
title = "LAS of two learners"
part = "test"
metrics = ["LAS", "training CPU seconds"]
against = "cw"
paper = {columns = ["perceptron, theirs"], rows = {sample = [61.5]}, data = "Theirs is another treebank."}

[[plot]]
title = "LAS by passes"
part = "curve"
level = "test"

[[claim]]
text = "CW is better than the perceptron"
better = {configuration = "cw"}
worse = {configuration = "perceptron"}

[[claim]]
text = "Two passes are better than one"
part = "curve"
better = {configuration = "cw", at = 2}
worse = {configuration = "cw", at = 1}

[[claim]]
text = "Czech fits into memory"
untestable = "there is no Czech treebank of that size here"

[quick]
sentences = 40
tested = 30
options = {passes = 1}
"""

CLAIMS = """
[[configuration]]
name = "mira"
options = {learner = "mira"}
[[part]]
name = "test"
[[claim]]
text = "does not lose"
better = {configuration = "cw"}
worse = {configuration = "mira"}
or_equal = true
[[claim]]
text = "reaches a floor"
better = {configuration = "cw"}
at_least = 80
[[part]]
name = "held-out"
on = "held-out"
[[claim]]
text = "the best reaches a floor"
part = "test"
choose = "held-out"
at_least = 80
[[table]]
title = "chosen"
part = "test"
choose = "held-out"
"""

SURE = {"AUC": 0.9, "ECE − chance": 0.01, "surest 80 %": 0.95}
SAMPLED = "[sources.sample]\nsample = {sentences = 60}\n"


def recipe_text(body, treebanks='["sample"]'):
    """A recipe of one configuration with more entries."""
    head = f'title = "One"\ntreebanks = {treebanks}\n[training]\nfeatures = "malt-14"\nexplore = 0.0\npasses = 1\n'
    return f'{head}{SAMPLED}[[configuration]]\nname = "cw"\noptions = {{learner = "cw"}}\n{body}'


def fake_journal(recipe, folder, wrong_of, parses=None, costs=None):
    """A journal as if every task had run: `wrong_of(task, pass)` gives the words wrong in each sentence.

    They have 10 words each. Costs are made from that number, too. None leaves a task out, a text is why it failed.
    `parses(task)` gives the digest of what is parsed, `costs(task)` what a point says of costs.
    """
    folder.mkdir(exist_ok=True)
    with Journal(journal_of(recipe, folder), "run") as journal:
        journal.begin({"kind": "recipe", "version": 1, "digest": recipe.identity})
        for task in {task.key: task for _, task in expand(recipe)}.values():
            points = [wrong_of(task, number) for number in ((1, 2, 3) if task.every_pass else (1,))]
            common = {"key": task.key, "digest": "", "workers": 2, "sentences": 100, "words": 1000}
            if isinstance(points[0], str):
                journal.append({"kind": "failure", **common, "why": points[0]})
            elif points[0] is not None:
                parsed = {"parsed": parses(task)} if parses else {}
                parsed |= {"confidence": SURE} if task.confidence else {}
                parsed |= {"annotated": 1000, "needed": 400.0} if "annotate" in task.options else {}
                parsed |= costs(task) if costs else {}
                made = [{**_point(wrong, number), **parsed} for number, wrong in enumerate(points, 1)]
                journal.append({"kind": "task", **common, "points": made})


def _point(wrong, number):
    counts = np.array(wrong)
    words = 10 * len(counts)
    score = [words - int(counts.sum()), words]
    names = ("LAS", "UAS", "LAS no punctuation", "UAS no punctuation", "RA", "CM")
    return {
        "at": number,
        "scores": dict.fromkeys(names, score),
        "wrong": {"LAS": packed(counts), "UAS": packed(counts)},
        "training": float(counts.sum()),
        "parsing": [1000],
        "memory": 50,
        "model": 1 << 21,
        "features": 10,
    }


GOOD, BAD = [0, 1] * 20, [3, 2] * 20


def made(text, quick=False):
    return recipe_from(text, "one", "one.toml", quick)


def results_of(text, folder, wrong_of, **more):
    found = made(text)
    fake_journal(found, folder, wrong_of, **more)
    return results(found, folder)


def two_learners(task, number):
    """CW is good, the perceptron bad and the worse the fewer its passes."""
    return GOOD if task.options["learner"] == "cw" else [n + 3 - number for n in BAD]
