from typing import Any

from numpy.typing import NDArray

class ChoiceTable:
    def __init__(
        self,
        *,
        start: NDArray[Any],
        member: NDArray[Any],
        parts: int,
        set_start: NDArray[Any],
        set_member: NDArray[Any],
    ) -> None: ...
    def __len__(self) -> int: ...
