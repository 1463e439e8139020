"""The configurations on the way of the static oracle, and the values that features have in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.features.compile import TransitionTemplates
from headway.kernels.transition import columns as kernel
from headway.kernels.transition.setup import ParserSetup
from headway.stages.gold import Trees


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
