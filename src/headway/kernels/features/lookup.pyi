from typing import Any

from numpy.typing import NDArray

class Lookup:
    def __init__(self, keys: NDArray[Any]) -> None: ...
    def find(self, keys: NDArray[Any], numbers: NDArray[Any]) -> None: ...
    def add_weights(
        self,
        start: NDArray[Any],
        classes: NDArray[Any],
        weights: NDArray[Any],
        keys: NDArray[Any],
        group: NDArray[Any],
        sums: NDArray[Any],
    ) -> None: ...

def number(keys: NDArray[Any], numbers: NDArray[Any], distinct: NDArray[Any]) -> int: ...
def tally(start: NDArray[Any], numbers: NDArray[Any], last: NDArray[Any], counts: NDArray[Any]) -> None: ...
def columns(
    start: NDArray[Any],
    numbers: NDArray[Any],
    column: NDArray[Any],
    last: NDArray[Any],
    place: NDArray[Any],
    member: NDArray[Any],
) -> None: ...
