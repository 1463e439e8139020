"""Recipes for tests, on generated treebanks, as texts."""

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

SAMPLED = "[sources.sample]\nsample = {sentences = 60}\n"


def recipe_text(body, treebanks='["sample"]'):
    """A recipe of one configuration with more entries."""
    head = f'title = "One"\ntreebanks = {treebanks}\n[training]\nfeatures = "malt-14"\nexplore = 0.0\npasses = 1\n'
    return f'{head}{SAMPLED}[[configuration]]\nname = "cw"\noptions = {{learner = "cw"}}\n{body}'
