from typing import Any

from numpy.typing import NDArray

MOST: dict[str, int]
TAKE_STEP: int
SLOTS: dict[str, int]
ROOT_KEY: int

def mix_all(keys: NDArray[Any], values: NDArray[Any], mixed: NDArray[Any]) -> None: ...
