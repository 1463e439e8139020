from typing import Any

from numpy.typing import NDArray

from headway.kernels.graph import Graph

def learn(
    graph: Graph,
    weights: NDArray[Any],
    sums: NDArray[Any],
    variances: NDArray[Any],
    order: NDArray[Any],
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    kind: int,
    strength: float,
    initial: float,
    square_root: bool,
    labelled: bool,
    augmented: bool,
    k: int,
    time: float,
) -> tuple[int, int, int]: ...
