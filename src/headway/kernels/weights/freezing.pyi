from typing import Any

from numpy.typing import NDArray

from headway.kernels.weights.table import Weights

def frozen(weights: Weights, steps: float, prune: float = 0.0) -> tuple[NDArray[Any], NDArray[Any], int]: ...
def scores(slots: NDArray[Any], rows: NDArray[Any], classes: int, keys: NDArray[Any]) -> NDArray[Any]: ...
def weights_of(
    slots: NDArray[Any], rows: NDArray[Any], classes: int, keys: NDArray[Any], which: NDArray[Any]
) -> NDArray[Any]: ...
