"""What a parser keeps for further training: weights as they are in training, with averages and variances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headway.base.schema import Array, Arrays, Header, Kind, Numbers, Record, whole
from headway.base.short_repr import ShortRepr
from headway.stages.contract import Packed

PREFIX = "state_"


@dataclass(frozen=True, eq=False)
class LearningState(ShortRepr):
    """Examples seen, passes done and options of learning; and arrays of weights."""

    header: dict[str, Any]
    arrays: dict[str, Array] = field(default_factory=dict)


class StateLayout:
    """What the states of a family look like in a model file; further training checks how their arrays go together."""

    def __init__(self, options: Mapping[str, Kind], arrays: Mapping[str, Numbers]) -> None:
        """`options` are those of learning that the parser itself does not tell."""
        self.header: Kind = Record({"steps": whole(0), "passes": whole(0), **options}, complete=True)
        self.options, self.arrays = tuple(options), arrays

    def in_file(self, header: Header) -> dict[str, Numbers]:
        """The arrays as a model file names them, where it has a state."""
        return {} if header.get("state") is None else {f"{PREFIX}{name}": kind for name, kind in self.arrays.items()}

    def unpack(self, header: Header, arrays: Arrays) -> LearningState | None:
        """The state in a model file; None where there is none."""
        if header.get("state") is None:
            return None
        return LearningState(dict(header["state"]), {name: arrays[f"{PREFIX}{name}"] for name in self.arrays})


def with_state(packed: Packed, state: LearningState | None) -> Packed:
    """A packed parser with its state, where it has one."""
    if state is None:
        return packed
    arrays = {f"{PREFIX}{name}": array for name, array in state.arrays.items()}
    return Packed({**packed.header, "state": state.header}, {**packed.arrays, **arrays})
