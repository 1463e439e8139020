from typing import Any

from numpy.typing import NDArray

def votes(
    power: NDArray[Any],
    bounds: NDArray[Any],
    features: NDArray[Any],
    posting_start: NDArray[Any],
    postings: NDArray[Any],
    vector_start: NDArray[Any],
    pairs: NDArray[Any],
    coefficients: NDArray[Any],
    intercepts: NDArray[Any],
    members: NDArray[Any],
    machines: NDArray[Any],
    order: NDArray[Any],
    start: NDArray[Any],
    keys: NDArray[Any],
    scores: NDArray[Any],
    sums: NDArray[Any],
) -> None: ...
