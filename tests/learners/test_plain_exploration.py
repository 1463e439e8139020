"""Learning with the dynamic oracle against a plain learner that walks through configurations in Python."""

from itertools import pairwise

import numpy as np
import pytest
from derivations import LEFT, REDUCE, RIGHT, SHIFT
from plain_transitions import PlainLearner, planes, task

from headway.kernels.transition import learning
from headway.kernels.transition.lockstep import Lockstep
from headway.kernels.weights.table import Weights
from headway.learners.registry import learner
from headway.parsers.transition.enumeration import replay
from headway.parsers.transition.registry import ChosenSystem

SYSTEM = ChosenSystem()


class Walk:
    """One sentence of arc-eager with the root at the end: actions so far, stack and buffer."""

    def __init__(self, ready, first, end):
        self.lockstep = Lockstep(ready.setup, np.array([first, end], np.int32), 0)
        self.actions, self.stack, self.buffer = [], [], [*range(1, end - first + 1), 0]

    def features(self):
        _, keys, _ = self.lockstep.gather(0)
        return keys.tolist()

    def arc(self, action):
        """Head and child of the arc that an action would make; None where it makes none."""
        if action == LEFT:
            return self.buffer[0], self.stack[-1]
        return (self.stack[-1], self.buffer[0]) if action == RIGHT else None

    def take(self, action, wanted):
        """Perform a transition; `wanted` are scores of all classes by which the kernel chooses it."""
        self.lockstep.advance(wanted[None])
        self.actions.append(action)
        if action in (LEFT, REDUCE):
            self.stack.pop()
        elif action in (SHIFT, RIGHT):
            self.stack.append(self.buffer.pop(0))


class PlainExplorer(PlainLearner):
    """What is learned in a configuration: the best transition that loses nothing beats the best that loses some."""

    def classes_of(self, action):
        """The numbers of an action's transitions by their labels; in two steps those of its labels alone."""
        pairs = self.classes.transitions
        numbers = enumerate([pair for pair in pairs if pair[1] >= 0], 5) if self.classes.two_step else enumerate(pairs)
        return {label: number for number, (kind, label) in numbers if kind == action}

    def best(self, numbers):
        return max(numbers, key=lambda number: (self.score(self.seen, number), -number))

    def predicted(self, legal):
        """The transition that the parser would perform: action and label."""
        if not self.classes.two_step:
            possible = [number for action in legal for number in self.classes_of(action).values()]
            return self.classes.transitions[self.best(possible)]
        action = self.best(legal)
        given = {number: label for label, number in self.classes_of(action).items()}
        return action, given[self.best(given)] if given else -1

    def explore(self, walk, gold, labels, own):
        """Learn from a sentence; follow its own predictions, or the best transition that loses nothing."""
        while len(walk.lockstep):
            here = replay(SYSTEM, walk.actions, gold)
            self.seen = walk.features()
            predicted = self.predicted(here.legal)
            right = self.learn(walk, here, gold, labels)
            action, label = predicted if own else right
            wanted = np.zeros(len(self.classes), np.float32)
            if self.classes.two_step:
                wanted[action] = 1
            if label >= 0 or not self.classes.two_step:
                wanted[self.classes_of(action)[label]] = 1
            walk.take(action, wanted)

    def learn(self, walk, here, gold, labels):
        free, costly = {}, {}
        for action in here.legal:
            arc = walk.arc(action)
            is_gold = arc is not None and gold[arc[1] - 1] == arc[0]
            numbers = {-1: action} if self.classes.two_step else self.classes_of(action)
            for label, number in numbers.items():
                mislabelled = not self.classes.two_step and is_gold and label != labels[arc[1] - 1]
                (costly if here.costs[action] or mislabelled else free)[number] = action, label
        if free and costly:
            self.decide_between(self.best(free), self.best(costly))
        best = free or costly
        action, label = best[self.best(best)]
        if self.classes.two_step and (arc := walk.arc(action)) is not None:
            label = labels[arc[1] - 1]
            given = self.classes_of(action)
            if gold[arc[1] - 1] == arc[0] and label in given:
                others = [number for other, number in given.items() if other != label]
                if others:
                    self.decide_between(given[label], self.best(others))
            else:
                label = {number: name for name, number in given.items()}[self.best(given.values())]
        return action, label

    def decide_between(self, right, rival):
        scores = {which: self.score(self.seen, which) for which in (right, rival)}
        self.decide(self.seen, right, list(scores))


@pytest.mark.parametrize("own", [0.0, 1.0], ids=["follows-the-oracle", "follows-itself"])
@pytest.mark.parametrize("two_step", [False, True], ids=["at-once", "two-steps"])
@pytest.mark.parametrize("name", ["perceptron", "cw"])
def test_exploration_learns_as_a_plain_learner_does(name, two_step, own):
    ready = task(two_step=two_step)
    chosen = learner(name, average=False)
    offsets, heads, labels = ready.gold
    order = np.arange(len(offsets) - 1, dtype=np.int32)
    weights = Weights(len(ready.classes), variance=chosen.variance, average=False, initial=chosen.initial_variance)
    plain, updates = PlainExplorer(chosen, ready.classes), 0
    for _ in range(3):
        rule = chosen.step_rule()
        updates += learning.explore(ready.setup, weights, order, *ready.gold, rule, 0.0, own, 1)[2]
        for first, end in pairwise(offsets.tolist()):
            plain.explore(Walk(ready, first, end), heads[first:end].tolist(), labels[first:end].tolist(), own)
    assert updates == plain.updates > 20
    keys = weights.keys().tolist()
    found = {(keys[feature], which): numbers[0] for (feature, which), numbers in planes(weights).items()}
    assert set(plain.weights) <= set(found)
    for place, weight in found.items():
        assert weight == pytest.approx(plain.weights.get(place, 0), rel=1e-4, abs=1e-5)
