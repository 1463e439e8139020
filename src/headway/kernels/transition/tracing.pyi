from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup

def trace(
    setup: ParserSetup,
    slots: NDArray[Any],
    rows: NDArray[Any],
    first: int,
    n: int,
    root_label: int,
    heads: NDArray[Any],
    labels: NDArray[Any],
) -> list[tuple[Any, ...]]: ...
