from headway.kernels.features.arrays import TemplateArrays, WordArrays
from headway.kernels.transition.classes import ClassArrays
from headway.kernels.transition.systems.system import SystemKernel

class ParserSetup:
    def __init__(
        self,
        system: SystemKernel,
        templates: TemplateArrays,
        words: WordArrays,
        classes: ClassArrays,
        *,
        longest: int,
    ) -> None: ...
