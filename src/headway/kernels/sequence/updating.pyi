from headway.kernels.arrays import Argument
from headway.kernels.sequence.model import ChoiceTable, SequenceTable
from headway.kernels.weights.packed import PackedWeights

def step_towards(table: SequenceTable, possible: ChoiceTable, own: PackedWeights, *arguments: Argument) -> int: ...
