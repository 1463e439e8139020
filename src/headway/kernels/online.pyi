from typing import Any

from numpy.typing import NDArray

def learn(
    start: NDArray[Any],
    features: NDArray[Any],
    target: NDArray[Any],
    importance: NDArray[Any],
    order: NDArray[Any],
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    kind: int,
    strength: float,
    time: float,
) -> int: ...
