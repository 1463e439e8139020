"""Where memory ends, the arrays that are there already are freed: a failing call can be made as often as one likes."""

import os
import subprocess
import sys

CALLS = """
import resource
import numpy as np
import headway
from headway.data.sources import batches_of
from headway.stages.gold import trees_of
from headway.kernels.transition import examples, learning, parsing
from headway.kernels.transition.updating import step_towards
from headway.kernels.transition.evidence import EVIDENCE, spread
from headway.kernels.weights.table import Weights
from headway.kernels.weights.updating import OwnWeights
from headway.learners.registry import learner
from headway.data.sample import generate

parser = headway.train(generate(20), passes=1, features="malt-14").stages[0]
[batch] = batches_of(generate(1))
trees, encoded = trees_of([batch], parser.encoding), parser.templates.encode(batch)
n, classes = len(trees.heads), len(parser.classes)
own, order = OwnWeights.of_others(parser.weights), np.zeros(1, np.int32)
none = np.full(n, -1, np.int32)
heads, labels, evidence = np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros((n, len(EVIDENCE)), np.float32)
allowed, rule, free = np.ones((n + 1, n + 1), np.uint8), learner("mira").step_rule(), parser.with_free_roots()
gold, counts = (trees.offsets, trees.heads, trees.labels), np.zeros((9, 99), np.int64)


def empty():
    return Weights(classes, variance=False, average=False)


calls = {
    "parse": lambda ready, long: parsing.parse(ready, parser.weights, trees.offsets, 0, heads, labels, None),
    "trace": lambda ready, long: parsing.trace(ready, parser.weights, 0, n, 0, heads, labels),
    "within": lambda ready, _: parsing.parse_within(
        ready, own, 0, 0, -1, allowed, heads, none, False, heads, labels, np.zeros((n, classes), np.float32)
    ),
    "spread": lambda ready, long: spread(ready, parser.weights, parser.weights, 1.0, trees.offsets, evidence),
    "step": lambda ready, long: step_towards(ready, own, trees.heads, trees.labels, 1.0),
    "walk": lambda ready, long: examples.walk(ready, *gold),
    "transitions": lambda ready, long: examples.count_transitions(parser.system.kernel, *gold, long, counts),
    "collect": lambda ready, long: examples.collect(ready, empty(), examples.Examples(), *gold),
    "explore": lambda ready, long: learning.explore(ready, empty(), order, *gold, rule, 0.0, 1.0, 1),
}
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def room():
    mebibytes = 2048
    while True:
        try:
            return len(np.empty(mebibytes << 20, np.uint8)) >> 20
        except MemoryError:
            mebibytes -= 8


before, failed = room(), 0
for longest in range(1_000_000, 60_000_000, 1_000_000):
    ready = free.setup(encoded, longest)
    for call in calls.values():
        try:
            call(ready, longest)
        except MemoryError:
            failed += 1
print(failed > 100, before - room() < 16)
"""


def test_calls_that_fail_leave_nothing_behind():
    """Sentences become longer and longer, so that one array after the other does not fit beside those before it."""
    # By itself glibc sets addresses aside where a block does not fit, and keeps some that were freed.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1000000"}
    done = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout == "True True\n", done.stderr
