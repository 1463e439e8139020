from typing import Any

from numpy.typing import NDArray

LONGEST: int
MEMORY: int

def unusable(offsets: NDArray[Any], pairs: NDArray[Any], none: bool) -> int: ...
def decode(
    offsets: NDArray[Any],
    pairs: NDArray[Any],
    rows: NDArray[Any],
    states: NDArray[Any],
    tags: NDArray[Any],
    first_rows: NDArray[Any],
    first: NDArray[Any],
    values: NDArray[Any],
    single: bool,
    none: bool,
    spans: bool,
    heads: NDArray[Any],
    totals: NDArray[Any],
) -> int: ...
