from typing import Any

from numpy.typing import NDArray

from headway.kernels.weights.rules import StepRule

def learn(
    start: NDArray[Any],
    features: NDArray[Any],
    target: NDArray[Any],
    importance: NDArray[Any],
    order: NDArray[Any],
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    rule: StepRule,
    time: float,
) -> int: ...
