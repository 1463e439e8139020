from headway.kernels.arrays import Array
from headway.kernels.graph.parsing import Graph
from headway.kernels.weights.rules import StepRule

def learn(
    graph: Graph,
    weights: Array,
    sums: Array,
    variances: Array,
    order: Array,
    offsets: Array,
    heads: Array,
    labels: Array,
    rule: StepRule,
    initial: float,
    square_root: bool,
    labelled: bool,
    augmented: bool,
    k: int,
    wrong: bool,
    together: bool,
    beyond: bool,
    time: float,
) -> tuple[int, int, int]: ...
