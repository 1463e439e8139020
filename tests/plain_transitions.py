"""A little treebank of transitions, and a plain Python learner of them over a dictionary."""

import random
from typing import NamedTuple

import numpy as np
from derivations import all_trees

from headway import Sentence
from headway.data.sources import batches_of
from headway.features.compile import compile_features
from headway.features.language import parse
from headway.kernels.transition.examples import Examples, collect, count_transitions
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.table import Weights
from headway.parsers.transition.classes import Classes, classes_from_counts
from headway.parsers.transition.registry import ChosenSystem
from headway.stages.gold import encode_all, trees_of


class Task(NamedTuple):
    """A little treebank with examples and their features, ready to be learned."""

    setup: ParserSetup
    classes: Classes
    gold: tuple
    examples: Examples
    keys: np.ndarray
    seen: list
    """(features, legal actions, action, label) of each example."""


FEATURES = parse("LEX(STACK0)\nLEX(QUEUE0)\nLEX(STACK0) & LEX(QUEUE0)\nDEP(STACK0 lc)\nDEP(STACK0) & LEX(QUEUE1)")


def task(*, two_step=False, order=None, seed=1):
    """With `order`, the classes stand in another order."""
    chance = random.Random(seed)
    sentences = []
    for _ in range(12):
        heads = chance.choice(all_trees(5, projective=True))
        labels = ["root" if head == 0 else chance.choice("abc") for head in heads]
        sentences.append(Sentence(forms=chance.choices("uvwxyz", k=5), heads=heads, deprels=labels))
    batches = list(batches_of(sentences))
    trees = trees_of(batches, "head")
    system, templates = ChosenSystem(), compile_features(FEATURES)
    counts = np.zeros((5, len(trees.names) + 1), np.int64)
    gold = (trees.offsets, trees.heads, trees.labels)
    count_transitions(system.kernel, *gold, trees.longest, counts)
    classes = classes_from_counts(counts, trees.names, two_step, system.actions)
    if order is not None:
        classes = Classes(classes.labels, tuple(classes.transitions[number] for number in order), two_step)
    words = encode_all(templates, batches)
    ready = ParserSetup(system.kernel, templates.kernel, words.kernel, classes.kernel, longest=trees.longest)
    table, examples = Weights(len(classes), variance=False, average=False), Examples()
    collect(ready, table, examples, *gold)
    ids, start, legal, action, label = examples.matrix()
    seen = [
        (ids[start[e] : start[e + 1]].tolist(), int(legal[e]), int(action[e]), int(label[e]))
        for e in range(len(examples))
    ]
    return Task(ready, classes, gold, examples, table.keys(), seen)


class PlainLearner:
    """A top-1 multiclass learner over a dictionary, with numbers as wide as the kernel's."""

    def __init__(self, chosen, classes, initial=None):
        self.chosen, self.classes = chosen, classes
        self.weights, self.variances = initial or ({}, {})
        self.totals, self.mistakes, self.updates = {}, 0, 0

    def score(self, features, which):
        total = np.float32(0)
        for feature in features:
            total += self.weights.get((feature, which), np.float32(0))
        return total

    def variance(self, feature, which):
        return float(self.variances.get((feature, which), np.float32(self.chosen.initial_variance)))

    def see(self, features, legal, action, label):
        """Learn one example, then add all weights to the totals."""
        transitions, wrong = self.classes.transitions, False
        if self.classes.two_step:
            wrong = self.decide(features, action, [other for other in range(5) if legal >> other & 1])
            if label >= 0:
                arcs = [pair for pair in transitions if pair[1] >= 0]
                given = [5 + number for number, (kind, _) in enumerate(arcs) if kind == action]
                wrong |= self.decide(features, 5 + arcs.index((action, label)), given)
        else:
            allowed = [number for number, (other, _) in enumerate(transitions) if legal >> other & 1]
            wrong = self.decide(features, transitions.index((action, label)), allowed)
        self.mistakes += wrong
        for place, weight in self.weights.items():
            self.totals[place] = self.totals.get(place, 0.0) + float(weight)

    def decide(self, features, right, allowed):
        """Learn that one class is right among those that are allowed; whether it was not the best."""
        scores = {which: self.score(features, which) for which in allowed}
        others = [which for which in allowed if which != right]
        if not others:
            return False
        rival = max(others, key=lambda which: (scores[which], -which))
        margin = float(scores[right] - scores[rival])
        spread = 2.0 * len(features)
        if self.chosen.variance:
            spread = sum(self.variance(f, which) for f in features for which in (right, rival))
        move, shrink = self.chosen.step_rule().step(margin, spread)
        self.updates += move > 0
        for feature in features if move else []:
            for which, sign in ((right, 1), (rival, -1)):
                variance = self.variance(feature, which) if self.chosen.variance else 1.0
                old = float(self.weights.get((feature, which), 0))
                self.weights[feature, which] = np.float32(old + sign * move * variance)
                self.variances[feature, which] = np.float32(variance / (1 + variance * shrink))
        return margin <= 0


def planes(weights):
    """What has been learned: (feature, class) → its numbers."""
    _, sizes, classes, numbers = weights.dump()
    features = np.repeat(np.arange(len(sizes)), sizes)
    return {
        (feature, which): column
        for feature, which, column in zip(features.tolist(), classes.tolist(), numbers.T.tolist(), strict=True)
    }
