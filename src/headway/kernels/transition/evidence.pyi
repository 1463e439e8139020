from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup

EVIDENCE: tuple[str, ...]

def spread(
    setup: ParserSetup,
    slots: Array,
    rows: Array,
    certain_slots: Array,
    certain_rows: Array,
    initial: float,
    offsets: Array,
    evidence: Array,
) -> None: ...
