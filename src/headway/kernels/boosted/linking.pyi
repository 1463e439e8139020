from headway.kernels.arrays import Array

LONGEST: int
MEMORY: int
ITEMS: int

def unusable(offsets: Array, static: Array, none: bool) -> int: ...
def decode(
    offsets: Array,
    static: Array,
    rows: Array,
    tags: Array,
    states: Array,
    first_rows: Array,
    values: Array,
    first: Array,
    forbidden: Array,
    single: bool,
    none: bool,
    spans: bool,
    heads: Array,
    totals: Array,
) -> tuple[int, int]: ...
