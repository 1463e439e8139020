from typing import Any

from numpy.typing import NDArray

from headway.kernels.sequence.choices import ChoiceTable
from headway.kernels.sequence.templates import SequenceTable

class Deciding:
    def __init__(self, table: SequenceTable, choices: ChoiceTable, slots: NDArray[Any], rows: NDArray[Any]) -> None: ...
    def greedily(
        self,
        keys: NDArray[Any],
        offsets: NDArray[Any],
        attributes: NDArray[Any],
        sets: NDArray[Any],
        chosen: NDArray[Any],
    ) -> None: ...
    def margins(
        self,
        keys: NDArray[Any],
        offsets: NDArray[Any],
        attributes: NDArray[Any],
        sets: NDArray[Any],
        chosen: NDArray[Any],
        kinds: NDArray[Any],
        rivals: NDArray[Any],
        margins: NDArray[Any],
        decide: bool,
    ) -> None: ...
    def with_beam(
        self,
        keys: NDArray[Any],
        offsets: NDArray[Any],
        attributes: NDArray[Any],
        sets: NDArray[Any],
        chosen: NDArray[Any],
        width: int,
        memory: int,
        probabilities: bool,
    ) -> None: ...
