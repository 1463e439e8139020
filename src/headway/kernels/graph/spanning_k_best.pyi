from typing import Any

from numpy.typing import NDArray

def k_best(scores: NDArray[Any], single: bool, heads: NDArray[Any], totals: NDArray[Any]) -> int: ...
