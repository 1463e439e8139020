from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup
from headway.kernels.transition.systems.system import SystemKernel
from headway.kernels.weights.table import Weights

class Examples:
    def __len__(self) -> int: ...
    @property
    def features(self) -> int: ...
    def matrix(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]: ...
    def renumber(self, new: NDArray[Any]) -> None: ...

def count_transitions(
    chosen: SystemKernel,
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    longest: int,
    counts: NDArray[Any],
) -> None: ...
def collect(
    setup: ParserSetup,
    weights: Weights,
    examples: Examples,
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
) -> None: ...
