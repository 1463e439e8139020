from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def explore(
    setup: ParserSetup,
    weights: Weights,
    order: Array,
    offsets: Array,
    heads: Array,
    labels: Array,
    rule: StepRule,
    time: float,
    probability: float,
    seed: int,
) -> tuple[int, int, int]: ...
