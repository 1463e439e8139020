from headway.kernels.arrays import Argument, Array
from headway.kernels.transition.examples import Examples
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def learn(
    setup: ParserSetup, weights: Weights, examples: Examples, order: Array, rule: StepRule, time: float
) -> tuple[int, int, int]: ...
def explore(setup: ParserSetup, weights: Weights, *arguments: Argument | StepRule) -> tuple[int, int, int]: ...
