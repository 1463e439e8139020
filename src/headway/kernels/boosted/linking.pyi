from typing import Any

from numpy.typing import NDArray

LONGEST: int
MEMORY: int
ITEMS: int

def unusable(offsets: NDArray[Any], static: NDArray[Any], none: bool) -> int: ...
def decode(
    offsets: NDArray[Any],
    static: NDArray[Any],
    rows: NDArray[Any],
    tags: NDArray[Any],
    states: NDArray[Any],
    first_rows: NDArray[Any],
    values: NDArray[Any],
    first: NDArray[Any],
    forbidden: NDArray[Any],
    single: bool,
    none: bool,
    spans: bool,
    heads: NDArray[Any],
    totals: NDArray[Any],
) -> tuple[int, int]: ...
