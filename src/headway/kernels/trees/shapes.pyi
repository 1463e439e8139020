from typing import Any

from numpy.typing import NDArray

WORK: int

def shapes(
    heads: NDArray[Any],
    offsets: NDArray[Any],
    work: NDArray[Any],
    trees: NDArray[Any],
    projective: NDArray[Any],
    planar: NDArray[Any],
    roots: NDArray[Any],
    nonprojective: NDArray[Any],
    depths: NDArray[Any],
) -> None: ...
def lift(
    heads: NDArray[Any],
    offsets: NDArray[Any],
    work: NDArray[Any],
    crossed: NDArray[Any],
    marks: NDArray[Any],
    depths: NDArray[Any],
) -> None: ...
