from headway.kernels.arrays import Array
from headway.kernels.features.templates import TemplateTable, WordTable
from headway.kernels.transition.systems.system import SystemKernel

def replay(chosen: SystemKernel, actions: Array, gold: Array, heads: Array) -> tuple[int, bool, list[int]]: ...
def derive(chosen: SystemKernel, gold: Array) -> list[int]: ...
def keys_after(
    chosen: SystemKernel,
    actions: Array,
    labels: Array,
    templates: TemplateTable,
    sentence: WordTable,
    label_keys: Array,
) -> Array: ...
