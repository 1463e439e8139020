from headway.kernels.arrays import Array
from headway.kernels.sequence.model import ChoiceTable, SequenceTable

class Deciding:
    def __init__(self, table: SequenceTable, choices: ChoiceTable, slots: Array, rows: Array) -> None: ...
    def greedily(
        self,
        keys: Array,
        offsets: Array,
        attributes: Array,
        sets: Array,
        chosen: Array,
        kinds: Array | None = None,
        rivals: Array | None = None,
        margins: Array | None = None,
        decide: bool = True,
    ) -> None: ...
    def with_beam(
        self,
        keys: Array,
        offsets: Array,
        attributes: Array,
        sets: Array,
        chosen: Array,
        width: int,
        memory: int,
        probabilities: bool,
    ) -> None: ...
