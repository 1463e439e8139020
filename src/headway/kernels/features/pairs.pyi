from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.lookup import Lookup

ROLE_NUMBERS: dict[str, int]

class PairTable:
    def __init__(
        self,
        with_distance: NDArray[Any],
        with_between: NDArray[Any],
        hashes: NDArray[Any],
        position: NDArray[Any],
        tag: NDArray[Any],
        partitioned: bool,
    ) -> None: ...
    def parts(self, first: NDArray[Any], second: NDArray[Any], parts: NDArray[Any]) -> None: ...
    def count(self, first: NDArray[Any], second: NDArray[Any], counts: NDArray[Any]) -> None: ...
    def write(self, first: NDArray[Any], second: NDArray[Any], start: NDArray[Any], keys: NDArray[Any]) -> None: ...
    def listed(self, first: int, second: int) -> tuple[NDArray[Any], NDArray[Any]]: ...
    def score(
        self,
        known: Lookup,
        start: NDArray[Any],
        classes: NDArray[Any],
        weights: NDArray[Any],
        offsets: NDArray[Any],
        scores: NDArray[Any],
    ) -> None: ...

def hash_nodes(
    start: NDArray[Any],
    slot: NDArray[Any],
    seed: NDArray[Any],
    keys: NDArray[Any],
    offsets: NDArray[Any],
    hashes: NDArray[Any],
) -> None: ...
def pairs_of(
    offsets: NDArray[Any], heads: NDArray[Any], first: NDArray[Any], second: NDArray[Any], target: NDArray[Any]
) -> None: ...
def states_of(
    offsets: NDArray[Any],
    heads: NDArray[Any],
    children: NDArray[Any],
    previous: NDArray[Any],
    first: NDArray[Any],
) -> None: ...
