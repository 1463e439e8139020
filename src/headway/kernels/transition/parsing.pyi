from typing import Any

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
    label_scores: Array | None = None,
) -> None: ...
def trace(
    setup: ParserSetup, slots: Array, rows: Array, first: int, n: int, root_label: int, heads: Array, labels: Array
) -> list[tuple[Any, ...]]: ...
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
    label_scores: Array,
) -> None: ...
