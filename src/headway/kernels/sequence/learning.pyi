from headway.kernels.arrays import Array
from headway.kernels.sequence.model import ChoiceTable, SequenceTable
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def number_features(
    table: SequenceTable, keys: Array, offsets: Array, attributes: Array, decided: Array, weights: Weights, ids: Array
) -> None: ...
def learn(
    table: SequenceTable,
    possible: ChoiceTable,
    keys: Array,
    offsets: Array,
    attributes: Array,
    ids: Array,
    sets: Array,
    gold: Array,
    order: Array,
    weights: Weights,
    rule: StepRule,
    time: float,
    explore: float,
    drop: float,
    seed: int,
) -> tuple[int, int, int, int]: ...
