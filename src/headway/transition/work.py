"""The state of a training: words, trees, examples, weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.features.compile import Templates
from headway.kernels import freezing, training, weights
from headway.kernels.examples import Examples, collect
from headway.kernels.setup import Setup
from headway.learners.online import Online
from headway.learners.registry import name_of
from headway.model import Array
from headway.transition.ground import Ground
from headway.transition.parser import TransitionParser, Weights

if TYPE_CHECKING:
    from headway.transition.trainer import Trainer

AT_ONCE = 1 << 15
"""Examples learned in one call of the kernel; in between the user may interrupt."""
SENTENCES_AT_ONCE = 1 << 10
STATE = ("keys", "sizes", "classes", "planes")
"""The arrays of `Weights.dump`."""


class Tally(dict[str, int]):
    """Counts of examples, mistakes and updates."""

    def __init__(self) -> None:
        super().__init__(examples=0, mistakes=0, updates=0)

    def add(self, examples: int, mistakes: int, updates: int) -> None:
        """Add the counts of one call of a kernel."""
        self["examples"] += examples
        self["mistakes"] += mistakes
        self["updates"] += updates


class Work:
    """Everything that a training with online learners keeps in memory.

    The examples of the static oracle are extracted once; each pass then runs over them. Exploration meets its own
    examples and needs them only for the first pass.
    """

    def __init__(
        self, options: Trainer, learner: Online, ground: Ground, templates: Templates, ready: Setup | None = None
    ) -> None:
        self.options, self.learner, self.ground, self.templates = options, learner, ground, templates
        self.trees, self.classes, self.digest = ground.trees, ground.classes, ground.digest
        self.setup = ground.setup(templates) if ready is None else ready
        self.weights = self._empty()
        self.examples = Examples()
        self.rows: Ints | None = None
        """The configurations that are examples; None for all."""
        self.steps = 0

    @property
    def _gold(self) -> tuple[Ints, Ints, Ints]:
        return self.trees.offsets, self.trees.heads, self.trees.labels

    def _empty(self, room: int = 1 << 16) -> weights.Weights:
        return weights.Weights(
            len(self.classes),
            variance=self.learner.variance,
            average=self.learner.average,
            initial=self.learner.initial_variance,
            room=max(1, room),
        )

    def adopt(self, examples: Examples, keys: NDArray[np.uint64], rows: Ints) -> None:
        """Take the configurations `rows` as examples; feature number f of `examples` has the key keys[f]."""
        self.examples, self.rows = examples, rows
        self.weights = self._empty(len(keys))
        self.weights.extend(keys)
        if len(self.weights) < len(keys):
            self.examples.renumber(self.weights.numbers(keys))

    def collect(self) -> None:
        """Extract the examples of the static oracle, without features that are too rare."""
        offsets, heads, labels = self._gold
        for first in range(0, len(offsets) - 1, SENTENCES_AT_ONCE):
            some = offsets[first : first + SENTENCES_AT_ONCE + 1]
            collect(self.setup, self.weights, self.examples, some, heads, labels)
        if self.options.cutoff > 1:
            ids = self.examples.matrix()[0]
            kept = np.bincount(ids, minlength=len(self.weights)) >= self.options.cutoff
            keys = self.weights.keys()[kept]
            self.weights = self._empty()
            self.weights.extend(keys)
            self.weights.close()
            self.examples.renumber(np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32))

    def one_pass(self, number: int, progress: Callable[[float], None]) -> Tally:
        """Learn from the whole treebank once; `progress` hears what share is done."""
        options = self.options
        random = np.random.Generator(np.random.PCG64([options.seed, number]))
        exploring = options.explore > 0 and number > 1
        if self.learner.begins_average(number):
            self.weights.restart()
            self.steps = 0
        if not exploring and not len(self.examples):
            self.collect()
        size = len(self.trees.offsets) - 1 if exploring else len(self.examples)
        order = (random.permutation(size) if options.shuffle else np.arange(size)).astype(np.int32)
        tally, rule = Tally(), self.learner.step_rule()
        for some, done in _slices(order, SENTENCES_AT_ONCE if exploring else AT_ONCE):
            if exploring:
                seed = int(random.integers(1 << 62))
                counts = training.explore(
                    *(self.setup, self.weights, some, *self._gold, rule, float(self.steps), options.explore, seed),
                )
            else:
                counts = training.learn(self.setup, self.weights, self.examples, some, rule, float(self.steps))
            self.steps += counts[0]
            tally.add(*counts)
            progress(done)
        if options.explore > 0:
            self.examples = Examples()
        return tally

    def state(self) -> dict[str, Array]:
        """What has been learned, as arrays."""
        return dict(zip(STATE, self.weights.dump(), strict=True))

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take back what `state` gave."""
        self.weights.restore(*(arrays[name] for name in STATE))

    def parser(self, passes: int) -> TransitionParser:
        """The parser as it is now."""
        slots, rows, size = freezing.frozen(self.weights, self.steps + 1, self.options.prune)
        return self.parser_with(Weights(slots, rows), passes, size)

    def parser_with(self, learned: Weights, passes: int, size: int) -> TransitionParser:
        """A parser with these weights and a record of where they come from."""
        roots = self.trees.labels[self.trees.heads == 0]
        about: dict[str, Any] = {
            "learner": name_of(self.learner),
            "learner_options": asdict(self.learner),
            "passes": passes,
            "explore": self.options.explore,
            "cutoff": self.options.cutoff,
            "seed": self.options.seed,
            "sentences": len(self.trees.offsets) - 1,
            "words": len(self.trees.heads),
            "features": len(self.weights),
            "weights": size,
            "treebank_digest": self.digest,
        }
        return TransitionParser(
            system=self.ground.system,
            templates=self.templates,
            classes=self.classes,
            root_label=int(np.bincount(roots).argmax()),
            encoding=self.ground.encoding,
            weights=learned,
            about=about,
        )


def _slices(order: Ints, size: int) -> Iterator[tuple[Ints, float]]:
    """The order in pieces, each with the share that is done after it."""
    for first in range(0, len(order), size):
        piece = order[first : first + size]
        yield piece, (first + len(piece)) / len(order)
