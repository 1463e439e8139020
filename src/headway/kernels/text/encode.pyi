from typing import Any

from numpy.typing import NDArray

KINDS: dict[str, int]

def key_of(text: bytes) -> int: ...
def column(
    text: bytes,
    cells: NDArray[Any],
    first_cell: NDArray[Any],
    lines: NDArray[Any],
    index: int,
    fallback: int,
    kind: int,
    argument: int,
    name: bytes,
    keys: NDArray[Any],
    at: int,
) -> None: ...
def features(
    text: bytes,
    cells: NDArray[Any],
    first_cell: NDArray[Any],
    lines: NDArray[Any],
    index: int,
    start: NDArray[Any],
    keys: NDArray[Any],
) -> int: ...
def number(
    text: bytes,
    cells: NDArray[Any],
    first_cell: NDArray[Any],
    lines: NDArray[Any],
    index: int,
    fallback: int,
    table: NDArray[Any],
    numbers: NDArray[Any],
    first: NDArray[Any],
) -> int: ...
