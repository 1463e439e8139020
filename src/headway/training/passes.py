"""What trainings with online learners have in common: passes over the treebank, each in an order of its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from headway.base.schema import Kind, whole
from headway.data.batch import Ints


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
