from typing import Any

from numpy.typing import NDArray

ATTRIBUTE_KINDS: dict[tuple[str, str], int]

def find_places(
    classes: NDArray[Any],
    offsets: NDArray[Any],
    cuts: NDArray[Any],
    joins: NDArray[Any],
    start: NDArray[Any],
    places: NDArray[Any],
    sets: NDArray[Any],
) -> int: ...
def describe_places(
    codes: NDArray[Any],
    lower: NDArray[Any],
    classes: NDArray[Any],
    offsets: NDArray[Any],
    start: NDArray[Any],
    places: NDArray[Any],
    columns: NDArray[Any],
    keys: NDArray[Any],
) -> None: ...
