from headway.kernels.arrays import Array
from headway.kernels.transition.setup import ParserSetup

def parse_within(
    setup: ParserSetup,
    slots: Array,
    rows: Array,
    first: int,
    root_label: int,
    only_root: int,
    allowed: Array,
    required: Array,
    wanted: Array,
    follow: bool,
    heads: Array,
    labels: Array,
) -> None: ...
