from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.lookup import Lookup
from headway.kernels.features.tables import TemplateTable, WordTable

EVERY_ARC: int

class LabelTable:
    def __init__(self, templates: TemplateTable, words: WordTable, names: NDArray[Any]) -> None: ...
    def write(
        self,
        offsets: NDArray[Any],
        heads: NDArray[Any],
        labels: NDArray[Any],
        start: NDArray[Any],
        keys: NDArray[Any],
    ) -> int: ...
    def label(
        self,
        known: Lookup,
        start: NDArray[Any],
        classes: NDArray[Any],
        weights: NDArray[Any],
        offsets: NDArray[Any],
        heads: NDArray[Any],
        labels: NDArray[Any],
        evidence: NDArray[Any] | None = None,
    ) -> None: ...
