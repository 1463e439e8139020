from headway.kernels.arrays import Array
from headway.kernels.weights.rules import StepRule

def hildreth(gram: Array, wanted: Array, steps: Array) -> int: ...
def update(
    weights: Array,
    sums: Array,
    variances: Array,
    index: Array,
    count: Array,
    rule: StepRule,
    loss: float,
    time: float,
    beyond: float = 0,
) -> bool: ...
