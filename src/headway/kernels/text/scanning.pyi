from typing import Any

from numpy.typing import NDArray

KINDS: tuple[str, ...]
PROBLEMS: tuple[str, ...]

def scan(
    text: bytes,
    id_column: int,
    form_column: int,
    form_fallback: int,
    head_column: int,
    min_columns: int,
    max_columns: int,
    *arrays: NDArray[Any],
) -> tuple[int, int, int, int, int, int, int]: ...
def fault(heads: NDArray[Any], offsets: NDArray[Any], mark: NDArray[Any]) -> int: ...
def column(
    text: bytes,
    cells: NDArray[Any],
    first_cell: NDArray[Any],
    lines: NDArray[Any],
    first: int,
    last: int,
    index: int,
    fallback: int,
) -> list[str]: ...
def filled(
    text: bytes,
    cells: NDArray[Any],
    first_cell: NDArray[Any],
    lines: NDArray[Any],
    counts: NDArray[Any],
    spaces: NDArray[Any],
) -> None: ...
