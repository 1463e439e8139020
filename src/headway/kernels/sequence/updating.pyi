from headway.kernels.arrays import Argument
from headway.kernels.sequence.model import ChoiceTable, SequenceTable
from headway.kernels.weights.updating import OwnWeights

def step_towards(table: SequenceTable, possible: ChoiceTable, own: OwnWeights, *arguments: Argument) -> int: ...
