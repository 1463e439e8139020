from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup

def spread(
    setup: ParserSetup,
    slots: NDArray[Any],
    rows: NDArray[Any],
    certain_slots: NDArray[Any],
    certain_rows: NDArray[Any],
    initial: float,
    offsets: NDArray[Any],
    evidence: NDArray[Any],
) -> None: ...
