from typing import Any

from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup

def trace(
    setup: ParserSetup, slots: Array, rows: Array, first: int, n: int, root_label: int, heads: Array, labels: Array
) -> list[tuple[Any, ...]]: ...
