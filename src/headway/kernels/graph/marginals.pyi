from typing import Any

from numpy.typing import NDArray

def marginals(scores: NDArray[Any], single: bool, projective: bool) -> NDArray[Any]: ...
