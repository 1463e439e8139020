"""For stubs alone: an array as kernels take it; its type and shape stand in the `.pyx`."""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
