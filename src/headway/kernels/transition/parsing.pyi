from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup

def parse(
    setup: ParserSetup,
    slots: Array,
    rows: Array,
    offsets: Array,
    root_label: int,
    heads: Array,
    labels: Array,
    evidence: Array | None = None,
) -> None: ...
