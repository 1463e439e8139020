from typing import Any

from numpy.typing import NDArray

KINDS: dict[str, int]
OUTSIDE: dict[str, int]

class SequenceTable:
    def __init__(
        self,
        *,
        slot: NDArray[Any],
        start: NDArray[Any],
        member: NDArray[Any],
        seed: NDArray[Any],
        fixed: int,
        columns: int,
        attributes: int,
    ) -> None: ...
    @property
    def most_keys(self) -> int: ...
    @property
    def memory(self) -> int: ...
