"""What a transition parser keeps to learn on: the arrays of `Weights.dump`, and how it explores."""

from __future__ import annotations

from headway.base.schema import Header, Kind, Numbers, Record, Single, is_number
from headway.training.learning_state import COUNTS, in_file

SHARE = Single("a number of at least 0", lambda value: is_number(value) and value >= 0)
HEADER: Kind = Record({**COUNTS, "exploration": SHARE, "smallest": SHARE}, complete=True)
"""What the header of a model holds of it."""


def numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of a state in a model file; learning on checks how they go together."""
    kinds = {"keys": Numbers("<u8"), "sizes": Numbers("<u2"), "classes": Numbers("<u2")}
    return in_file(header, {**kinds, "planes": Numbers("<f4", (None, None), finite=True)})
