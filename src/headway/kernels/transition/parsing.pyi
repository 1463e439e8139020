from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import Setup

def parse(
    setup: Setup,
    slots: NDArray[Any],
    rows: NDArray[Any],
    offsets: NDArray[Any],
    root_label: int,
    heads: NDArray[Any],
    labels: NDArray[Any],
) -> None: ...
