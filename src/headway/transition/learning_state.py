"""What a transition parser keeps to learn on: weights as they are in training, with averages and variances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headway.brief import Brief
from headway.schema import Array, Arrays, Header, Kind, Numbers, Record, Single, is_number, whole
from headway.training.weight_state import STATE

PREFIX = "state_"
SHARE = Single("a number of at least 0", lambda value: is_number(value) and value >= 0)
HEADER: Kind = Record({"steps": whole(0), "passes": whole(0), "exploration": SHARE, "smallest": SHARE})
"""What the header of a model holds of it."""


@dataclass(frozen=True, eq=False)
class LearningState(Brief):
    """Examples seen, passes done and options of learning; and the arrays of `Weights.dump`."""

    header: dict[str, Any]
    arrays: dict[str, Array] = field(default_factory=dict)

    @property
    def packed(self) -> dict[str, Array]:
        """The arrays as a model file names them."""
        return {f"{PREFIX}{name}": self.arrays[name] for name in STATE}


def unpacked(header: Header, arrays: Arrays) -> LearningState | None:
    """The state in a model file; None where there is none."""
    if header.get("state") is None:
        return None
    return LearningState(dict(header["state"]), {name: arrays[f"{PREFIX}{name}"] for name in STATE})


def numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of a state in a model file; learning on checks how they go together."""
    if header.get("state") is None:
        return {}
    kinds = {"keys": Numbers("<u8"), "sizes": Numbers("<u2"), "classes": Numbers("<u2")}
    return {f"{PREFIX}{name}": kind for name, kind in kinds.items()} | {
        f"{PREFIX}planes": Numbers("<f4", (None, None), finite=True)
    }
