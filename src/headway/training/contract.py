"""What a family of stages gives the training loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from headway.base.schema import Layout
from headway.stages.contract import Packed, Stage

Progress = Callable[[float], None]
"""Hears what share of a step is done."""


def unheard(share: float) -> None:
    """Progress that nobody wants to hear of."""


class Training(Protocol):
    """A training under way: options and data, and what has been learned so far.

    In the batches of its data what was read is right, and layers are what stages before it have predicted.
    """

    @property
    def unit(self) -> str:
        """What a step is called: `pass`, `round`."""

    @property
    def planned(self) -> int:
        """How many steps there will be at the most."""

    @property
    def keeps_best(self) -> bool:
        """Whether a development treebank chooses between the steps; else the last one counts."""

    @property
    def digest(self) -> str:
        """A digest of the data."""

    @property
    def unwritable(self) -> str:
        """Why its stages cannot be written to a file; nothing where they can."""

    @property
    def state(self) -> Layout:
        """What the header and the arrays of `pack` look like; checkpoints are checked by it before `restore`."""

    def step(self, number: int, progress: Progress) -> Mapping[str, float] | None:
        """Learn some more: step 1, 2, …; what is worth telling of it, or None where nothing is left to be learned."""

    def candidates(self) -> Sequence[Stage]:
        """The stages that could be made of what has been learned: the best on dev is kept, without dev the first."""

    def pack(self) -> Packed:
        """All that is needed to go on after the last step; the arrays may be those that the next step changes."""

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave, also where more was learned since, even half a step."""
