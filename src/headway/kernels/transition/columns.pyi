from headway.kernels.arrays import Array
from headway.kernels.transition.examples import Examples
from headway.kernels.transition.setup import ParserSetup

def count(setup: ParserSetup, offsets: Array, heads: Array) -> int: ...
def walk(
    setup: ParserSetup,
    offsets: Array,
    heads: Array,
    labels: Array,
    values: Array,
    allowed: Array,
    actions: Array,
    arc_labels: Array,
    sentences: Array,
) -> None: ...
def join(first: Array, second: Array, size: int) -> tuple[Array, Array]: ...
def keys(seed: int, values: Array) -> Array: ...
def assemble(
    examples: Examples,
    columns: list[Array],
    base: Array,
    rows: Array,
    allowed: Array,
    actions: Array,
    labels: Array,
    more_start: Array,
    more: Array,
) -> None: ...
