from typing import Any

from numpy.typing import NDArray

class ClassTable:
    def __init__(
        self,
        *,
        action: NDArray[Any],
        label: NDArray[Any],
        number: NDArray[Any],
        label_keys: NDArray[Any],
        two_step: bool,
    ) -> None: ...
