from headway.kernels.arrays import Array
from headway.kernels.features.templates import TemplateTable, WordTable
from headway.kernels.graph.decoding import TreeDecoder

LONGEST: int

class Graph:
    def __init__(
        self,
        *,
        group: Array,
        kind: Array,
        start: Array,
        slot: Array,
        each: Array,
        seed: Array,
        bits: int,
        label_templates: TemplateTable,
        label_bits: int,
        width_bits: int,
        label_names: Array,
        words: WordTable,
        decoder: TreeDecoder,
        second_order: bool,
        single: bool,
        joint: bool,
        longest: int,
    ) -> None: ...

def parse(
    graph: Graph,
    weights: Array,
    offsets: Array,
    heads: Array,
    labels: Array,
    evidence: Array | None = None,
    factor: float = 1,
) -> None: ...
def scores_of_labels(
    graph: Graph, weights: Array, offsets: Array, heads: Array, labels: Array, scores: Array
) -> None: ...
