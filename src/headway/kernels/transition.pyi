from typing import Any

from numpy.typing import NDArray

ACTION_NAMES: tuple[str, ...]
SYSTEMS: dict[str, int]
ROOTS: dict[str, int]

def replay(
    kind: int,
    root: int,
    single: bool,
    n: int,
    actions: NDArray[Any],
    gold: NDArray[Any],
    heads: NDArray[Any],
) -> tuple[int, bool, list[int]]: ...
def derive(kind: int, root: int, single: bool, gold: NDArray[Any]) -> list[int]: ...
