"""What a parser keeps to learn on: weights as they are in training, with averages and variances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from headway.base.schema import Array, Arrays, Header, Kind, Numbers, whole
from headway.base.short_repr import ShortRepr

PREFIX = "state_"
COUNTS: dict[str, Kind] = {"steps": whole(0), "passes": whole(0)}
"""What every header of a state holds."""


@dataclass(frozen=True, eq=False)
class LearningState(ShortRepr):
    """Examples seen, passes done and options of learning; and arrays of weights."""

    header: dict[str, Any]
    arrays: dict[str, Array] = field(default_factory=dict)

    @property
    def packed(self) -> dict[str, Array]:
        """The arrays as a model file names them."""
        return {f"{PREFIX}{name}": array for name, array in self.arrays.items()}


def unpacked(header: Header, arrays: Arrays, names: Sequence[str]) -> LearningState | None:
    """The state in a model file with arrays of these names; None where there is none."""
    if header.get("state") is None:
        return None
    return LearningState(dict(header["state"]), {name: arrays[f"{PREFIX}{name}"] for name in names})


def in_file(header: Header, kinds: dict[str, Numbers]) -> dict[str, Numbers]:
    """The arrays of a state as a model file names them, where it has one."""
    return {} if header.get("state") is None else {f"{PREFIX}{name}": kind for name, kind in kinds.items()}
