from headway.kernels.arrays import Array
from headway.kernels.features.templates import TemplateTable, WordTable
from headway.kernels.transition.systems.system import SystemKernel

PLACES: dict[str, int]

class ClassTable:
    def __init__(self, *, action: Array, label: Array, number: Array, label_keys: Array, two_step: bool) -> None: ...

class ParserSetup:
    def __init__(
        self, system: SystemKernel, templates: TemplateTable, words: WordTable, classes: ClassTable, *, longest: int
    ) -> None: ...
