from headway.kernels.arrays import Array

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
    *arrays: Array,
) -> tuple[int, int, int, int, int, int, int]: ...
def fault(heads: Array, offsets: Array, mark: Array) -> int: ...
def column(
    text: bytes, cells: Array, first_cell: Array, lines: Array, first: int, last: int, index: int, fallback: int
) -> list[str]: ...
def filled(text: bytes, cells: Array, first_cell: Array, lines: Array, counts: Array, spaces: Array) -> None: ...
