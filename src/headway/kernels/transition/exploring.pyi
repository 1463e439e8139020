from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def explore(
    setup: ParserSetup,
    weights: Weights,
    order: NDArray[Any],
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    rule: StepRule,
    time: float,
    probability: float,
    seed: int,
) -> tuple[int, int, int]: ...
