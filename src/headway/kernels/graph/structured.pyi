from typing import Any

from numpy.typing import NDArray

from headway.kernels.weights.rules import StepRule

def hildreth(gram: NDArray[Any], wanted: NDArray[Any], steps: NDArray[Any]) -> int: ...
def update(
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    index: NDArray[Any],
    count: NDArray[Any],
    rule: StepRule,
    loss: float,
    time: float,
    beyond: float = 0,
) -> bool: ...
