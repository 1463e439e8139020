from headway.kernels.arrays import Argument
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.packed import PackedWeights

EVIDENCE: tuple[str, ...]

def spread(setup: ParserSetup, weights: PackedWeights, certainty: PackedWeights, *arguments: Argument) -> None: ...
