"""What trainings with online learners have in common: passes over the treebank, and weights in checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from headway.base.schema import Arrays, Header, Kind, Layout, Numbers, Relation, whole
from headway.data.batch import Ints
from headway.learners.online import Online


class PassTraining:
    """A training whose steps are passes; `learner` says how many, `options` whether and how they are shuffled."""

    unit: ClassVar[str] = "pass"
    keeps_best: ClassVar[bool] = True
    unwritable: ClassVar[str] = ""
    options: Any
    learner: Any
    steps = 0
    """Examples seen since the average began."""
    passes = 0
    """Passes that are done."""
    counts: ClassVar[dict[str, Kind]] = {"steps": whole(0, 2**53), "passes": whole(1)}
    """What the header of a packed state holds."""

    @property
    def planned(self) -> int:
        """The passes of the learner."""
        passes: int = self.learner.passes
        return passes

    def random_of(self, number: int) -> np.random.Generator:
        """The random numbers of a pass: the same for the same seed."""
        return np.random.Generator(np.random.PCG64([self.options.seed, number]))

    def order_of(self, size: int, random: np.random.Generator) -> Ints:
        """The order in which so many examples are seen."""
        return (random.permutation(size) if self.options.shuffle else np.arange(size)).astype(np.int32)


STATE = ("keys", "sizes", "classes", "planes")
"""The names of the arrays."""


def weights_state(classes: int, learner: Online, header: Mapping[str, Kind]) -> Layout:
    """The layout of weights for so many classes, with as many planes of numbers as the learner keeps."""
    arrays = {
        "keys": Numbers("<u8"),
        "sizes": Numbers("<u2", high=classes),
        "classes": Numbers("<u2", high=classes - 1),
        "planes": Numbers("<f4", (1 + learner.variance + learner.average, None), finite=True),
    }
    return Layout(header, lambda header: arrays, _fitting)


def _fitting(header: Header, arrays: Arrays) -> Iterator[Relation]:
    """What must hold between the arrays."""
    keys, sizes, classes, planes = (arrays[name] for name in STATE)
    yield len(keys) == len(sizes) <= np.iinfo(np.int32).max, "keys and sizes do not go together"
    yield int(sizes.sum(dtype=np.int64)) == len(classes), "sizes do not add up to the number of classes"
    yield len(classes) == planes.shape[1], "classes and planes do not go together"
