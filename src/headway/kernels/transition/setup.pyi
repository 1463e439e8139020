from headway.kernels.features.templates import TemplateTable, WordTable
from headway.kernels.transition.classes import ClassTable
from headway.kernels.transition.systems.system import SystemKernel

class ParserSetup:
    def __init__(
        self,
        system: SystemKernel,
        templates: TemplateTable,
        words: WordTable,
        classes: ClassTable,
        *,
        longest: int,
    ) -> None: ...
