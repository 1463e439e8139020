"""Objects that print as one short line, however much they hold."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import fields
from typing import Any

LONGEST = 40
"""How many characters of a text are printed."""


class ShortRepr:
    """A dataclass that prints small values, and of all others how much they hold.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Weights(ShortRepr):
    ...     name: str
    ...     values: list[float]
    >>> Weights("arcs", [0.5] * 1000)
    <Weights: name 'arcs', values list of 1,000>
    """

    __slots__ = ()

    def __init_subclass__(cls, **how: Any) -> None:
        """Keep `dataclass` from writing a `__repr__` that prints everything."""
        super().__init_subclass__(**how)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = super(cls, cls).__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        parts = ", ".join(f"{one.name} {amount(getattr(self, one.name))}" for one in fields(self) if one.repr)  # type: ignore[arg-type]
        return f"<{type(self).__name__}: {parts}>"


def amount(value: object) -> str:
    """A small value itself, or what it is and how much of it there is: `int32[454]`, `list of 12`."""
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else f"{value[:LONGEST]}…")
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{value.dtype}[{' × '.join(f'{size:,}' for size in value.shape)}]"
    kind = type(value).__name__
    return f"{kind} of {len(value):,}" if isinstance(value, Sized) else kind
