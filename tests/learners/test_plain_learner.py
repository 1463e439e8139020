"""The weights that kernels learn against those of a plain Python learner over a dictionary."""

import random

import numpy as np
import pytest
from packed_rows import row_of
from plain_transitions import PlainLearner, planes, task

from headway.kernels.transition import learning
from headway.kernels.transition.examples import Examples, collect
from headway.kernels.weights.packing import packed
from headway.kernels.weights.table import Weights
from headway.learners.registry import ONLINE, learner

each_online = pytest.mark.parametrize("name", ONLINE.own)


def learn(ready, chosen, weights, order, passes):
    """Passes of the kernel over the examples in the given order."""
    tally = np.zeros(3, int)
    for number in range(passes):
        time = float(number * len(order))
        tally += learning.learn(
            ready.setup, weights, ready.examples, np.array(order, np.int32), chosen.step_rule(), time
        )
    return tally.tolist()


@each_online
@pytest.mark.parametrize("two_step", [False, True], ids=["at-once", "two-steps"])
@pytest.mark.parametrize("average", [False, True], ids=["last", "average"])
def test_the_weights_are_those_of_a_plain_learner(name, two_step, average):
    ready = task(two_step=two_step)
    chosen = learner(name, average=average)
    weights = Weights(len(ready.classes), variance=chosen.variance, average=average, initial=chosen.initial_variance)
    weights.extend(ready.keys)
    order = random.Random(7).sample(range(len(ready.seen)), len(ready.seen))
    passes = 3
    tally = learn(ready, chosen, weights, order, passes)
    plain = PlainLearner(chosen, ready.classes)
    for _ in range(passes):
        for number in order:
            plain.see(*ready.seen[number])
    steps = passes * len(order)
    assert tally == [steps, plain.mistakes, plain.updates]
    assert plain.updates > 20
    found = planes(weights)
    assert set(plain.weights) <= set(found)
    for place, (weight, *others) in found.items():
        assert weight == pytest.approx(plain.weights.get(place, 0), rel=1e-5, abs=1e-6)
        if chosen.variance:
            assert others[0] == pytest.approx(plain.variances.get(place, chosen.initial_variance), rel=1e-5)
    found, _ = packed(weights, steps + 1, exact=True)
    for feature, key in enumerate(ready.keys.tolist()):
        final = row_of(found, key)
        for which, weight in enumerate(final.tolist()):
            if average:
                expected = plain.totals.get((feature, which), 0) / (steps + 1)
            else:
                expected = plain.weights.get((feature, which), 0)
            assert weight == pytest.approx(expected, rel=1e-3, abs=1e-5)


@each_online
def test_the_names_of_classes_make_no_difference(name):
    """From weights at random, so that no two scores are the same."""
    plain = task()
    count, features = len(plain.classes), len(plain.keys)
    order = random.Random(2).sample(range(count), count)
    order.sort(key=lambda number: plain.classes.transitions[number][0])  # by label within each action
    assert order != sorted(order)
    shuffled = task(order=order)
    assert shuffled.keys.tolist() == plain.keys.tolist()
    chosen = learner(name, average=False)
    chance = np.random.default_rng(3)
    start = chance.normal(size=(1 + chosen.variance, features, count)).astype(np.float32) / 10
    start[1:] = chance.uniform(0.1, 1, start[1:].shape)
    learned = []
    for ready, numbers in ((plain, start), (shuffled, start[:, :, order])):
        weights = Weights(count, variance=chosen.variance, average=False, initial=chosen.initial_variance)
        every = np.tile(np.arange(count, dtype=np.uint16), features)
        sizes = np.full(features, count, np.uint16)
        weights.restore(ready.keys, sizes, every, np.ascontiguousarray(numbers.reshape(len(numbers), -1)))
        tally = learn(ready, chosen, weights, range(len(ready.seen)), 2)
        learned.append((tally, weights.dump()[3].reshape(numbers.shape)))
    (tally, numbers), (other_tally, other_numbers) = learned
    assert tally == other_tally
    assert numbers[:, :, order] == pytest.approx(other_numbers, rel=1e-6)
    assert np.abs(numbers - start).max() > 0.01


def test_features_that_a_closed_table_does_not_know_are_left_out():
    ready = task()
    weights = Weights(len(ready.classes), variance=False, average=True)
    weights.extend(ready.keys[::2].copy())
    weights.close()
    examples = Examples()
    collect(ready.setup, weights, examples, *ready.gold)
    ids = ready.examples.matrix()[0]
    assert examples.matrix()[0].tolist() == (ids[ids % 2 == 0] // 2).tolist()
    assert len(examples) == len(ready.examples)
    assert len(weights) == len(ready.keys[::2])
