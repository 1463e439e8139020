from headway.kernels.arrays import Array

KINDS: dict[str, int]

def key_of(text: bytes) -> int: ...
def column(
    text: bytes,
    cells: Array,
    first_cell: Array,
    lines: Array,
    index: int,
    fallback: int,
    kind: int,
    argument: int,
    name: bytes,
    keys: Array,
    at: int,
) -> None: ...
def features(
    text: bytes, cells: Array, first_cell: Array, lines: Array, index: int, start: Array, keys: Array
) -> int: ...
def number(
    text: bytes,
    cells: Array,
    first_cell: Array,
    lines: Array,
    index: int,
    fallback: int,
    table: Array,
    numbers: Array,
    first: Array,
) -> int: ...
