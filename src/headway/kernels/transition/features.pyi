from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.tables import TemplateTable, WordTable
from headway.kernels.transition.systems.system import SystemKernel

PLACES: dict[str, int]

def keys_after(
    chosen: SystemKernel,
    actions: NDArray[Any],
    labels: NDArray[Any],
    templates: TemplateTable,
    sentence: WordTable,
    label_keys: NDArray[Any],
) -> NDArray[Any]: ...
