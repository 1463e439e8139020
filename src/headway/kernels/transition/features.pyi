from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.arrays import TemplateArrays, WordArrays
from headway.kernels.transition.systems.system import SystemKernel

PLACES: dict[str, int]

def keys_after(
    chosen: SystemKernel,
    actions: NDArray[Any],
    labels: NDArray[Any],
    templates: TemplateArrays,
    sentence: WordArrays,
    label_keys: NDArray[Any],
) -> NDArray[Any]: ...
