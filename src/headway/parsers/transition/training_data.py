"""What a training knows of its treebank: trees, classes, the system, and the static oracle's configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.compile import TransitionTemplates
from headway.kernels.transition import columns as kernel
from headway.kernels.transition.examples import count_transitions
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.parsers.transition.classes import classes_from_counts
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import setup_of
from headway.parsers.transition.registry import ChosenSystem
from headway.stages.gold import Trees, encode_all, trees_of


class OracleData:
    """The trees of a treebank as the oracle sees them, and what a parser may do."""

    def __init__(self, options: TransitionOptions, batches: Sequence[Batch]) -> None:
        self.batches = batches
        wanted = ChosenSystem.of(options)
        self.encoding = options.encoding if wanted.projective else None
        self.trees = trees_of(batches, self.encoding, options.mark_cutoff)
        self.system = _fitted(wanted, batches)
        # Learning takes no notice of the single root: lifted arcs may make a second one, and the costs of the dynamic
        # oracle hold where several words may hang on the root.
        self.free = replace(self.system, single_root=False)
        counts = np.zeros((len(ACTION_NAMES), len(self.trees.names) + 1), np.int64)
        trees = self.trees
        count_transitions(self.free.kernel, trees.offsets, trees.heads, trees.labels, trees.longest, counts)
        self.classes = classes_from_counts(counts, trees.names, options.two_step, self.free.actions)
        self.digest = digest_of(batches)

    def setup(self, templates: TransitionTemplates) -> ParserSetup:
        """What the kernels need to know to extract the templates' features."""
        return setup_of(self.free, templates, self.classes, encode_all(templates, self.batches), self.trees.longest)


def _fitted(system: ChosenSystem, batches: Sequence[Batch]) -> ChosenSystem:
    """The system with a single root where nothing else was asked for and every tree of the treebank has one."""
    if system.single_root is not None:
        return system
    roots = [np.add.reduceat(batch.read_heads == 0, batch.sentence_word[:-1]) for batch in batches if len(batch)]
    return replace(system, single_root=all(bool((found == 1).all()) for found in roots))


class Configurations(NamedTuple):
    """All configurations of a treebank: what is legal, as bits, what is right, and the number of the sentence."""

    allowed: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    labels: Ints
    sentences: Ints


def configurations(
    ready: ParserSetup, templates: TransitionTemplates, trees: Trees
) -> tuple[Configurations, NDArray[np.uint64]]:
    """The configurations, and [slot, configuration] the values of the templates' slots."""
    size = kernel.count(ready, trees.offsets, trees.heads)
    values = np.empty((len(templates.slot), size), np.uint64)
    bits, numbers = np.empty((2, size), np.uint8), np.empty((2, size), np.int32)
    kernel.walk(ready, trees.offsets, trees.heads, trees.labels, values, *bits, *numbers)
    return Configurations(*bits, *numbers), values


def template_keys(
    ready: ParserSetup, templates: TransitionTemplates, trees: Trees, template: int
) -> NDArray[np.uint64]:
    """The key of one template in each configuration."""
    slots = templates.member[templates.start[template] : templates.start[template + 1]]
    _, values = configurations(ready, templates, trees)
    return kernel.keys(int(templates.seed[template]), np.ascontiguousarray(values[slots].T))
