"""Training a transition parser: what it knows of its treebank, and passes over examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.schema import Layout
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.compile import TransitionTemplates, compile_features
from headway.features.reduce import fitted
from headway.features.registry import features_from
from headway.kernels.transition import examples as kernel
from headway.kernels.transition import learning
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights import packing
from headway.kernels.weights.table import Weights
from headway.learners.online import Online
from headway.learners.registry import Learner, described
from headway.parsers.transition.classes import Classes, classes_from_counts, transition_counts
from headway.parsers.transition.options import PRUNE_AGAIN, TransitionOptions
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.registry import SYSTEMS, ChosenSystem
from headway.stages.contract import Packed
from headway.stages.gold import Trees, encode_all, single_rooted, trees_of
from headway.training.contract import Progress, Training
from headway.training.options import AUTO
from headway.training.passes import STATE, PassTraining, weights_state

AT_ONCE = 1 << 15
"""Examples learned in one call of the kernel; in between the user may interrupt."""
SENTENCES_AT_ONCE = 1 << 10


@dataclass(frozen=True, eq=False)
class TreeData:
    """The trees of a treebank as the oracle sees them, and what a parser may do."""

    batches: Sequence[Batch]
    system: ChosenSystem
    encoding: str | None
    trees: Trees
    classes: Classes

    @classmethod
    def of(cls, options: TransitionOptions, batches: Sequence[Batch]) -> TreeData:
        """What options ask for, and what the treebank decides where they leave it open."""
        system = ChosenSystem.of(options)
        encoding = options.encoding if system.projective else None
        trees = trees_of(batches, encoding, options.mark_cutoff)
        if system.single_root is None:
            system = replace(system, single_root=single_rooted(batches))
        counts = transition_counts(system, trees)
        return cls(
            batches, system, encoding, trees, classes_from_counts(counts, trees.names, options.two_step, system.actions)
        )

    @cached_property
    def digest(self) -> str:
        """A digest of the treebank."""
        return digest_of(self.batches)

    def setup(self, templates: TransitionTemplates) -> ParserSetup:
        """What the kernels need to know to extract the templates' features."""
        encoded = encode_all(templates, self.batches)
        words = templates.kernel, encoded.kernel, self.classes.kernel
        return ParserSetup(self.system.free.kernel, *words, longest=self.trees.longest)


class Configurations(NamedTuple):
    """All configurations of a treebank: what is legal, as bits, what is right, and the number of the sentence."""

    allowed: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    labels: Ints
    sentences: Ints


def configurations(ready: ParserSetup, trees: Trees) -> tuple[Configurations, NDArray[np.uint64]]:
    """The configurations, and [slot, configuration] the values of the templates' slots."""
    values, actions, numbers = kernel.walk(ready, trees.offsets, trees.heads, trees.labels)
    return Configurations(*actions, *numbers), values


def template_keys(
    ready: ParserSetup, templates: TransitionTemplates, trees: Trees, template: int
) -> NDArray[np.uint64]:
    """The key of one template in each configuration."""
    slots = templates.member[templates.start[template] : templates.start[template + 1]]
    _, values = configurations(ready, trees)
    return np.asarray(kernel.keys(int(templates.seed[template]), np.ascontiguousarray(values[slots].T)))


class TransitionTraining(PassTraining):
    """A training with an online learner, and all that it keeps in memory.

    The examples of the static oracle are extracted once; each pass then runs over them. Exploration meets its own
    examples and needs them only for the first pass.
    """

    def __init__(
        self, options: TransitionOptions, learner: Any, data: TreeData, templates: TransitionTemplates
    ) -> None:
        self.options, self.learner, self.data, self.templates = options, learner, data, templates
        self.trees, self.classes, self.digest = data.trees, data.classes, data.digest
        self.setup = data.setup(templates)
        self.weights = self.empty()
        self.examples = kernel.Examples()
        self.rows: Ints | None = None
        """The configurations that are examples; None for all."""

    @property
    def _gold(self) -> tuple[Ints, Ints, Ints]:
        return self.trees.offsets, self.trees.heads, self.trees.labels

    def empty(self, room: int = 1 << 16) -> Weights:
        return Weights(
            len(self.classes),
            variance=self.learner.variance,
            average=self.learner.average,
            initial=self.learner.initial_variance,
            room=max(1, room),
        )

    def adopt(self, examples: kernel.Examples, keys: NDArray[np.uint64], rows: Ints) -> None:
        """Take the configurations `rows` as examples; feature number f of `examples` has the key keys[f]."""
        self.examples, self.rows = examples, rows
        self.weights = self.empty(len(keys))
        numbers = self.weights.extend(keys)
        if len(self.weights) < len(keys):
            self.examples.renumber(numbers)

    def collect(self) -> None:
        """Extract the examples of the static oracle, without features that are too rare."""
        offsets, heads, labels = self._gold
        for first in range(0, len(offsets) - 1, SENTENCES_AT_ONCE):
            some = offsets[first : first + SENTENCES_AT_ONCE + 1]
            kernel.collect(self.setup, self.weights, self.examples, some, heads, labels)
        if self.options.cutoff > 1 and not self.is_cut:
            counts = np.bincount(self.examples.matrix()[0], minlength=len(self.weights))
            kept = counts >= self.options.cutoff
            if not kept.any():
                raise HeadwayError(
                    f"cutoff = {self.options.cutoff}: no feature is seen so often, the most frequent "
                    f"{counts.max(initial=0):,} times; lower the cutoff"
                )
            keys = self.weights.keys()[kept]
            self.weights = self.empty()
            self.weights.extend(keys)
            self.weights.close()
            self.examples.renumber(np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32))

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank once."""
        options = self.options
        random = self.random_of(number)
        explores = options.exploration > 0 and number > 1
        if self.learner.begins_average(number):
            self.weights.restart()
            self.steps = 0
        if not explores and not len(self.examples):
            self.collect()
        size = len(self.trees.offsets) - 1 if explores else len(self.examples)
        order = self.order_of(size, random)
        tally, rule = np.zeros(3, np.int64), self.learner.step_rule()
        at_once = SENTENCES_AT_ONCE if explores else AT_ONCE
        for first in range(0, size, at_once):
            some = order[first : first + at_once]
            if explores:
                seed = int(random.integers(1 << 62))
                counts = learning.explore(
                    *(self.setup, self.weights, some, *self._gold, rule, float(self.steps), options.exploration, seed)
                )
            else:
                counts = learning.learn(self.setup, self.weights, self.examples, some, rule, float(self.steps))
            self.steps += counts[0]
            tally += counts
            progress(min(1.0, (first + at_once) / size))
        if options.exploration > 0:
            self.examples = kernel.Examples()
        self.passes = number
        examples, mistakes, updates = tally.tolist()
        return {"mistakes %": 100 * mistakes / max(1, examples), "updates": updates}

    def candidates(self) -> Sequence[TransitionParser]:
        """The parser as it is now."""
        return [self.parser()]

    def parser(self) -> TransitionParser:
        """The parser as it is now."""
        smallest = PRUNE_AGAIN if self.is_cut else self.options.smallest
        learned = packing.packed(self.weights, self.steps + 1, smallest, exact=self.options.exact)
        found = self.parser_with(*learned)
        return replace(found, state=self.learning_state()) if self.options.updatable else found

    @property
    def learning(self) -> TransitionTraining:
        """What has the weights, for cutting them."""
        return self

    def _forget(self) -> None:
        """Numbers of features are new."""
        self.examples = kernel.Examples()

    def learning_state(self) -> Packed:
        """What a later training goes on from."""
        counts, arrays = self.pack()
        how = {"exploration": float(self.options.exploration), "smallest": float(self.options.smallest)}
        return Packed({**counts, **how}, arrays)

    def parser_with(self, learned: Any, size: int, kind: type[TransitionParser] = TransitionParser) -> TransitionParser:
        """A parser with these weights and a record of where they come from."""
        roots = self.trees.labels[self.trees.heads == 0]
        return kind(
            system=self.data.system,
            templates=self.templates,
            classes=self.classes,
            root_label=int(np.bincount(roots).argmax()),
            encoding=self.data.encoding,
            weights=learned,
            single_labels=self.trees.single if self.options.single_labels == AUTO and kind.rates_labels else (),
            about={
                "learner": described(self.learner),
                "passes": self.passes,
                "features": len(self.weights),
                "weights": size,
            },
        )

    @property
    def state(self) -> Layout:
        """Weights of as many classes as there are."""
        return weights_state(len(self.classes), self.learner, self.counts)

    def pack(self) -> Packed:
        """What has been learned so far."""
        state = dict(zip(STATE, self.weights.dump(), strict=True))
        return Packed({"steps": self.steps, "passes": self.passes}, state)

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        self.weights = self.empty()
        self.weights.restore(*(packed.arrays[name] for name in STATE))
        self.steps, self.passes = packed.header["steps"], packed.header["passes"]


def begin(options: TransitionOptions, batches: Sequence[Batch]) -> Training:
    """A training with a learner of any kind."""
    data = TreeData.of(options, batches)
    features = fitted(features_from(options.features, SYSTEMS[options.system].features), batches)
    return training_with(options, options.chosen, data, compile_features(features))


def training_with(
    options: TransitionOptions, learner: Learner, data: TreeData, templates: TransitionTemplates
) -> TransitionTraining:
    """The training that fits the way a learner learns."""
    from headway.parsers.transition.batch_training import KernelTraining, LinearTraining

    ways: Mapping[str, Callable[..., TransitionTraining]] = {
        Online.way: TransitionTraining,
        "linear": LinearTraining,
        "kernel": KernelTraining,
    }
    return ways[learner.way](options, learner, data, templates)
