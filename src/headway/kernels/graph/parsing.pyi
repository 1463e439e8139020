from typing import Any

from numpy.typing import NDArray

from headway.kernels.graph.decoding import TreeDecoder

LONGEST: int

class Graph:
    def __init__(
        self,
        group: NDArray[Any],
        kind: NDArray[Any],
        start: NDArray[Any],
        slot: NDArray[Any],
        each: NDArray[Any],
        seed: NDArray[Any],
        bits: int,
        label_address: NDArray[Any],
        label_slot: NDArray[Any],
        label_start: NDArray[Any],
        label_member: NDArray[Any],
        label_seed: NDArray[Any],
        label_bits: int,
        width_bits: int,
        label_names: NDArray[Any],
        keys: NDArray[Any],
        feature_start: NDArray[Any],
        features: NDArray[Any],
        decoder: TreeDecoder,
        second_order: bool,
        single: bool,
        joint: bool,
        longest: int,
        most_label_features: int,
    ) -> None: ...

def parse(
    graph: Graph, weights: NDArray[Any], offsets: NDArray[Any], heads: NDArray[Any], labels: NDArray[Any]
) -> None: ...
def scores(graph: Graph, weights: NDArray[Any], first: int, arcs: NDArray[Any], siblings: NDArray[Any]) -> None: ...
