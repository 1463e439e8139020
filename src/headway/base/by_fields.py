"""Dataclasses that are pickled by their fields."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class PickledByFields:
    """A dataclass that is pickled without what it has derived from its fields, such as tables of kernels."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
