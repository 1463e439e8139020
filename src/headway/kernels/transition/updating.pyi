from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.updating import OwnWeights

def step_towards(setup: ParserSetup, own: OwnWeights, heads: Array, labels: Array, wanted: float) -> int: ...
