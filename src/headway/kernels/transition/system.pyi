ROOTS: dict[str, int]
OURS: dict[str, SystemKernel]

class SystemKernel:
    @property
    def explores(self) -> bool: ...
    def assure_complete(self, name: str) -> None: ...

class ChosenSystem:
    def __init__(self, kernel: SystemKernel, name: str, root: str, single: bool) -> None: ...
