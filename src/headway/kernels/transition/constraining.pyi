from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup

def parse_within(
    setup: ParserSetup,
    slots: NDArray[Any],
    rows: NDArray[Any],
    first: int,
    root_label: int,
    only_root: int,
    allowed: NDArray[Any],
    required: NDArray[Any],
    wanted: NDArray[Any],
    follow: bool,
    heads: NDArray[Any],
    labels: NDArray[Any],
) -> None: ...
