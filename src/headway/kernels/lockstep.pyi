from typing import Any

from numpy.typing import NDArray

from headway.kernels.setup import Setup

class Lockstep:
    def __init__(self, setup: Setup, offsets: NDArray[Any], root_label: int) -> None: ...
    def __len__(self) -> int: ...
    def gather(self, template: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]: ...
    def advance(self, scores: NDArray[Any]) -> None: ...
    def trees(self, heads: NDArray[Any], labels: NDArray[Any]) -> None: ...

def template_keys(
    setup: Setup,
    template: int,
    offsets: NDArray[Any],
    heads: NDArray[Any],
    example_labels: NDArray[Any],
    keys: NDArray[Any],
) -> None: ...
