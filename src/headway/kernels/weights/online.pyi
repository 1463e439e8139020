from headway.kernels.arrays import Array
from headway.kernels.weights.rules import StepRule

def learn(*arrays: Array, rule: StepRule, time: float) -> int: ...
