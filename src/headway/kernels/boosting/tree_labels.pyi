from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.lookup import Lookup

class LabelTable:
    def __init__(
        self,
        address: NDArray[Any],
        slot: NDArray[Any],
        start: NDArray[Any],
        member: NDArray[Any],
        seed: NDArray[Any],
        names: NDArray[Any],
        keys: NDArray[Any],
        feature_start: NDArray[Any],
        features: NDArray[Any],
        most: int,
    ) -> None: ...
    def write(
        self,
        offsets: NDArray[Any],
        heads: NDArray[Any],
        labels: NDArray[Any],
        start: NDArray[Any],
        keys: NDArray[Any],
    ) -> int: ...
    def label(
        self,
        known: Lookup,
        start: NDArray[Any],
        classes: NDArray[Any],
        weights: NDArray[Any],
        offsets: NDArray[Any],
        heads: NDArray[Any],
        labels: NDArray[Any],
    ) -> None: ...
