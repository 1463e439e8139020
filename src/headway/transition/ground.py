"""What a training knows of a treebank before it looks at features: trees, classes, the system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from headway.batch import Batch
from headway.errors import HeadwayError, known
from headway.features.compile import Templates
from headway.kernels.examples import count_transitions
from headway.kernels.setup import Setup
from headway.pseudoprojective import ENCODINGS
from headway.transition.classes import classes_from_counts
from headway.transition.data import digest_of, encode_all, trees_of
from headway.transition.parser import setup
from headway.transition.system import System

if TYPE_CHECKING:
    from headway.transition.trainer import Trainer


class Ground:
    """The trees of a treebank as the oracle sees them, and what a parser may do."""

    def __init__(self, options: Trainer, batches: Sequence[Batch]) -> None:
        if options.encoding not in ENCODINGS:
            raise HeadwayError(f"unknown encoding {options.encoding!r}; {known(ENCODINGS)}")
        self.batches = batches
        self.encoding = options.encoding if options.system.is_projective else None
        self.trees = trees_of(batches, self.encoding, options.mark_cutoff)
        self.system = _fitted(options.system, batches)
        # Learning takes no notice of the single root: lifted arcs may make a second one, and the costs of the dynamic
        # oracle hold where several words may hang on the root.
        self.free = replace(self.system, single_root=False)
        counts = np.zeros((5, len(self.trees.names) + 1), np.int64)
        trees = self.trees
        count_transitions(*self.free.numbers, trees.offsets, trees.heads, trees.labels, trees.longest, counts)
        self.classes = classes_from_counts(counts, trees.names, options.two_step, self.free.actions)
        self.digest = digest_of(batches)

    def setup(self, templates: Templates) -> Setup:
        """What the kernels need to know to extract the templates' features."""
        return setup(self.free, templates, self.classes, encode_all(templates, self.batches), self.trees.longest)


def _fitted(system: System, batches: Sequence[Batch]) -> System:
    """The system with a single root where nothing else was asked for and every tree of the treebank has one."""
    if system.single_root is not None:
        return system
    roots = [np.add.reduceat(batch.heads == 0, batch.sentence_word[:-1]) for batch in batches if len(batch)]
    return replace(system, single_root=all(bool((found == 1).all()) for found in roots))
