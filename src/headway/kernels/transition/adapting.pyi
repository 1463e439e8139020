from typing import Any

from numpy.typing import NDArray

from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.adapting import OwnWeights

def step_towards(
    setup: ParserSetup,
    own: OwnWeights,
    heads: NDArray[Any],
    labels: NDArray[Any],
    wanted: float,
) -> int: ...
