from typing import Any

from numpy.typing import NDArray

from headway.kernels.graph.parsing import Graph
from headway.kernels.weights.rules import StepRule

def learn(
    graph: Graph,
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    order: NDArray[Any],
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    rule: StepRule,
    initial: float,
    square_root: bool,
    labelled: bool,
    augmented: bool,
    k: int,
    wrong: bool,
    together: bool,
    beyond: bool,
    time: float,
) -> tuple[int, int, int]: ...
