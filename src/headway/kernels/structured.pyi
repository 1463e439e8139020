from typing import Any

from numpy.typing import NDArray

def hildreth(gram: NDArray[Any], wanted: NDArray[Any], steps: NDArray[Any]) -> int: ...
def update(
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    index: NDArray[Any],
    count: NDArray[Any],
    kind: int,
    strength: float,
    loss: float,
    time: float,
) -> bool: ...
