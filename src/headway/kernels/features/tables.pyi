from typing import Any

from numpy.typing import NDArray

class TemplateTable:
    def __init__(
        self,
        *,
        address: NDArray[Any],
        slot: NDArray[Any],
        start: NDArray[Any],
        member: NDArray[Any],
        seed: NDArray[Any],
        part: NDArray[Any] | None = None,
        base: NDArray[Any] | None = None,
    ) -> None: ...

class WordTable:
    def __init__(self, *, keys: NDArray[Any], start: NDArray[Any], features: NDArray[Any]) -> None: ...
