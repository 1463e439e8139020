"""Boosting the classifier of a transition parser: the decisions of the static oracle are the examples.

A decision is right if the word that it is about gets its right head and label from the parser, whatever the parser did
on the way: that is what the structure says about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.boosting.examples import Columns
from headway.boosting.learning import LinearLearner, understood
from headway.boosting.linear import Floats
from headway.errors import HeadwayError
from headway.kernels.transition.derivations import ACTION_NAMES
from headway.kernels.weights.table import Weights
from headway.transition.batch_training import decisions_of, matrix_of
from headway.transition.parser import TransitionParser
from headway.transition.system import System
from headway.transition.training import TransitionTraining

ROOT = 0
SHIFT, LEFT_ARC, RIGHT_ARC, SWAP = map(ACTION_NAMES.index, ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "SWAP"))


class Hypothesis(NamedTuple):
    """A weight for each feature and class, and the parser that has them."""

    weights: Floats
    parser: TransitionParser


@dataclass(eq=False)
class Decisions:
    """The local model and the structured predictor of a transition parser, as `rounds.boost` wants them."""

    work: TransitionTraining
    learner: LinearLearner

    def __post_init__(self) -> None:
        """Collect the examples of the static oracle; action and label are one decision."""
        if self.work.data.system.kind.kernel is not None:
            name = self.work.data.system.name
            raise HeadwayError(f"which words the decisions of {name!r} are about is not known; boost a system of ours")
        if not len(self.work.examples):
            self.work.collect()
        [decision] = decisions_of(self.work)
        self.target, self.classes = decision.targets, len(self.work.classes)
        matrix = matrix_of(self.work).tocsc()
        self.columns = Columns(
            matrix.indptr.astype(np.int64), matrix.indices, self.work.weights.keys(), self.target.astype(np.int32)
        )
        self.words = words_of(self.work)

    def train(self, importance: Floats, begin: Hypothesis | None) -> Hypothesis:
        """Learn the classifier."""
        shape = (len(self.columns.keys), self.classes)
        weights = np.zeros(shape) if begin is None else begin.weights.copy()
        self.learner.fit(self.columns, understood(self.learner, importance), weights)
        return self._hypothesis(weights)

    def mixed(self, models: Sequence[Hypothesis], shares: Sequence[float]) -> Hypothesis:
        """The parser with the mean of the weights."""
        return self._hypothesis(np.average([model.weights for model in models], axis=0, weights=shares))

    def predict(self, model: Hypothesis) -> Ints:
        """The class of each decision: the right one, or where its word is wrong in the parser's tree, another."""
        heads, labels = self._trees(model.parser)
        trees = self.work.trees
        wrong = ((heads != trees.heads) | (labels != trees.labels))[self.words]
        return np.where(wrong, (self.target + 1) % self.classes, self.target)

    def _trees(self, parser: TransitionParser) -> tuple[Ints, Ints]:
        trees = self.work.trees
        heads, labels = np.empty_like(trees.heads), np.empty_like(trees.labels)
        parser._find(self.work.setup, trees.offsets, heads, labels)
        return heads, labels

    def _hypothesis(self, weights: Floats) -> Hypothesis:
        rows, classes = np.nonzero(weights)
        sizes = np.bincount(rows, minlength=len(weights)).astype(np.uint16)
        table = Weights(self.classes, variance=False, average=False)
        learned = weights[rows, classes].astype(np.float32)[None]
        table.restore(self.columns.keys, sizes, classes.astype(np.uint16), learned)
        self.work.weights = table
        return Hypothesis(weights, self.work.parser())


def words_of(work: TransitionTraining) -> NDArray[np.int64]:
    """The word that each decision is about: that which goes on the stack, off it, back to the queue, or gets a head."""
    actions = iter(work.examples.matrix()[3].tolist())
    words: list[int] = []
    for first, end in pairwise(work.trees.offsets.tolist()):
        words += (first + word - 1 for word in _words(work.data.system, end - first, actions))
    return np.array(words)


def _words(system: System, size: int, actions: Iterator[int]) -> Iterator[int]:
    """The words of one sentence's decisions, by what actions do to the stack and the queue; the last is its front."""
    stack = [ROOT] if system.root == "start" else []
    queue = [*([ROOT] if system.root == "end" else []), *range(size, 0, -1)]
    eager = system.name == "arc-eager"
    while not _is_final(system, stack, queue):
        action = next(actions)
        if action == SHIFT or (action == RIGHT_ARC and eager):
            stack.append(queue.pop())
            yield stack[-1]
        elif action == LEFT_ARC and not eager:
            yield stack.pop(-2)
        elif action == SWAP:
            queue.append(stack.pop(-2))
            yield queue[-1]
        else:
            yield stack.pop()


def _is_final(system: System, stack: Sequence[int], queue: Sequence[int]) -> bool:
    if system.name == "arc-eager":
        return queue == [ROOT] and not stack if system.root == "end" else not queue
    return len(stack) == 1 and not queue
