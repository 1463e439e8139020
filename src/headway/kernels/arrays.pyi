"""For stubs alone: arrays as kernels take them; their types and shapes stand in the `.pyx`."""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Argument: TypeAlias = Array | float | bytes | None
"""Long rows of arrays and numbers have their names in the `.pyx` alone."""
