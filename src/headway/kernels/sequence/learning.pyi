from typing import Any

from numpy.typing import NDArray

from headway.kernels.sequence.choices import ChoiceTable
from headway.kernels.sequence.templates import SequenceTable
from headway.kernels.weights.rules import StepRule
from headway.kernels.weights.table import Weights

def number_features(
    table: SequenceTable,
    keys: NDArray[Any],
    offsets: NDArray[Any],
    attributes: NDArray[Any],
    decided: NDArray[Any],
    weights: Weights,
    ids: NDArray[Any],
) -> None: ...
def learn(
    table: SequenceTable,
    possible: ChoiceTable,
    keys: NDArray[Any],
    offsets: NDArray[Any],
    attributes: NDArray[Any],
    ids: NDArray[Any],
    sets: NDArray[Any],
    gold: NDArray[Any],
    order: NDArray[Any],
    weights: Weights,
    rule: StepRule,
    time: float,
    explore: float,
    drop: float,
    seed: int,
) -> tuple[int, int, int, int]: ...
