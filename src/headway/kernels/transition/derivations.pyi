from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.system import ChosenSystem

ACTION_NAMES: tuple[str, ...]

def replay(
    chosen: ChosenSystem, actions: NDArray[Any], gold: NDArray[Any], heads: NDArray[Any]
) -> tuple[int, bool, list[int]]: ...
def derive(chosen: ChosenSystem, gold: NDArray[Any]) -> list[int]: ...
