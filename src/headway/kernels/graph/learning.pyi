from headway.kernels.arrays import Array
from headway.kernels.graph.parsing import Graph
from headway.kernels.weights.rules import StepRule

def learn(graph: Graph, *arrays: Array, rule: StepRule, **options: float) -> tuple[int, int, int]: ...
