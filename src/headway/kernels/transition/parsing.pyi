from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup

def parse(
    setup: ParserSetup,
    slots: NDArray[Any],
    rows: NDArray[Any],
    offsets: NDArray[Any],
    root_label: int,
    heads: NDArray[Any],
    labels: NDArray[Any],
    evidence: NDArray[Any] | None = None,
) -> None: ...
