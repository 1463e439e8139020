from typing import Any

from numpy.typing import NDArray

def merge(
    keys: NDArray[Any],
    start: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[Any],
    more_keys: NDArray[Any],
    more_classes: NDArray[Any],
    more_weights: NDArray[Any],
    merged_keys: NDArray[Any],
    merged_start: NDArray[Any],
    merged_classes: NDArray[Any],
    merged_weights: NDArray[Any],
) -> int: ...
