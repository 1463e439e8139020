from typing import Any

from numpy.typing import NDArray

def rearrange(scores: NDArray[Any], siblings: NDArray[Any], single: bool, heads: NDArray[Any]) -> float: ...
