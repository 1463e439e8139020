from typing import Any

from numpy.typing import NDArray

def fit(
    start: NDArray[Any],
    member: NDArray[Any],
    target: NDArray[Any],
    importance: NDArray[Any],
    mislabels: NDArray[Any],
    weights: NDArray[Any],
    linear: float,
    quadratic: float,
    lowest: float,
    tolerance: float,
    sweeps: int,
) -> tuple[int, float]: ...
