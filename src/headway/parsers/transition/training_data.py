"""What a training knows of its treebank: trees, classes, the system, and the static oracle's configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.compile import TransitionTemplates
from headway.kernels.transition import columns as kernel
from headway.kernels.transition.setup import ParserSetup
from headway.parsers.transition.classes import Classes, classes_from_counts, transition_counts
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import setup_of
from headway.parsers.transition.registry import ChosenSystem
from headway.stages.gold import Trees, encode_all, trees_of


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
        wanted = ChosenSystem.of(options)
        encoding = options.encoding if wanted.projective else None
        trees, system = trees_of(batches, encoding, options.mark_cutoff), _fitted(wanted, batches)
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
        return setup_of(self.system.free, templates, self.classes, encoded, self.trees.longest)


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
    values, actions, numbers = kernel.walk(ready, trees.offsets, trees.heads, trees.labels)
    return Configurations(*actions, *numbers), values


def template_keys(
    ready: ParserSetup, templates: TransitionTemplates, trees: Trees, template: int
) -> NDArray[np.uint64]:
    """The key of one template in each configuration."""
    slots = templates.member[templates.start[template] : templates.start[template + 1]]
    _, values = configurations(ready, templates, trees)
    return kernel.keys(int(templates.seed[template]), np.ascontiguousarray(values[slots].T))
