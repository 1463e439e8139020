from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.tables import TemplateTable, WordTable
from headway.kernels.graph.decoding import TreeDecoder

LONGEST: int

class Graph:
    def __init__(
        self,
        *,
        group: NDArray[Any],
        kind: NDArray[Any],
        start: NDArray[Any],
        slot: NDArray[Any],
        each: NDArray[Any],
        seed: NDArray[Any],
        bits: int,
        label_templates: TemplateTable,
        label_bits: int,
        width_bits: int,
        label_names: NDArray[Any],
        words: WordTable,
        decoder: TreeDecoder,
        second_order: bool,
        single: bool,
        joint: bool,
        longest: int,
    ) -> None: ...

def parse(
    graph: Graph,
    weights: NDArray[Any],
    offsets: NDArray[Any],
    heads: NDArray[Any],
    labels: NDArray[Any],
    evidence: NDArray[Any] | None = None,
    factor: float = 1,
) -> None: ...
def scores(graph: Graph, weights: NDArray[Any], first: int, arcs: NDArray[Any], siblings: NDArray[Any]) -> None: ...
