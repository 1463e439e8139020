from typing import Any

from numpy.typing import NDArray

PLACES: dict[str, int]

def keys_after(
    kind: int,
    root: int,
    single: bool,
    actions: NDArray[Any],
    labels: NDArray[Any],
    address: NDArray[Any],
    slot: NDArray[Any],
    start: NDArray[Any],
    member: NDArray[Any],
    seed: NDArray[Any],
    keys: NDArray[Any],
    feature_start: NDArray[Any],
    features: NDArray[Any],
    label_keys: NDArray[Any],
) -> NDArray[Any]: ...
