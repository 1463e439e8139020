from typing import Any

from numpy.typing import NDArray

def decode(scores: NDArray[Any], single: bool, heads: NDArray[Any]) -> float: ...
