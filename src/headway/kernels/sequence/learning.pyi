from headway.kernels.arrays import Argument, Array
from headway.kernels.sequence.model import ChoiceTable, SequenceTable
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def number_features(table: SequenceTable, *arguments: Array | Weights) -> None: ...
def learn(
    table: SequenceTable, possible: ChoiceTable, *arguments: Argument | Weights | StepRule
) -> tuple[int, int, int, int]: ...
