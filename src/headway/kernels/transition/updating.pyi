from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.packed import PackedWeights

def step_towards(setup: ParserSetup, own: PackedWeights, heads: Array, labels: Array, wanted: float) -> int: ...
