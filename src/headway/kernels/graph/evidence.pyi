from typing import Any

from numpy.typing import NDArray

EVIDENCE: tuple[str, ...]

def beside(scores: NDArray[Any], siblings: NDArray[Any], heads: NDArray[Any]) -> NDArray[Any]: ...
def weigh(
    offsets: NDArray[Any],
    scores: NDArray[Any],
    heads: NDArray[Any],
    factor: float,
    single: bool,
    projective: bool,
    evidence: NDArray[Any],
) -> None: ...
