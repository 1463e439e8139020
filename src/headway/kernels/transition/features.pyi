from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.systems.system import SystemKernel

PLACES: dict[str, int]

def keys_after(
    chosen: SystemKernel,
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
