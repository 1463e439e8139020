from headway.kernels.arrays import Array
from headway.kernels.weights.rules import StepRule

def learn(
    start: Array,
    features: Array,
    target: Array,
    importance: Array,
    order: Array,
    weights: Array,
    sums: Array,
    variances: Array,
    rule: StepRule,
    time: float,
) -> int: ...
