from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.examples import Examples
from headway.kernels.transition.setup import ParserSetup

def count(setup: ParserSetup, offsets: NDArray[Any], heads: NDArray[Any]) -> int: ...
def walk(
    setup: ParserSetup,
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    values: NDArray[Any],
    allowed: NDArray[Any],
    actions: NDArray[Any],
    arc_labels: NDArray[Any],
    sentences: NDArray[Any],
) -> None: ...
def join(first: NDArray[Any], second: NDArray[Any], size: int) -> tuple[NDArray[Any], NDArray[Any]]: ...
def keys(seed: int, values: NDArray[Any]) -> NDArray[Any]: ...
def assemble(
    examples: Examples,
    columns: list[NDArray[Any]],
    base: NDArray[Any],
    rows: NDArray[Any],
    allowed: NDArray[Any],
    actions: NDArray[Any],
    labels: NDArray[Any],
    more_start: NDArray[Any],
    more: NDArray[Any],
) -> None: ...
