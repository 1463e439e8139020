from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.systems.system import SystemKernel

def replay(
    chosen: SystemKernel, actions: NDArray[Any], gold: NDArray[Any], heads: NDArray[Any]
) -> tuple[int, bool, list[int]]: ...
def derive(chosen: SystemKernel, gold: NDArray[Any]) -> list[int]: ...
