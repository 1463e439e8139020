from headway.kernels.arrays import Argument, Array

KINDS: dict[str, int]
OUTSIDE: dict[str, int]

class SequenceTable:
    def __init__(self, **arguments: Argument) -> None: ...
    @property
    def memory(self) -> int: ...

class ChoiceTable:
    def __init__(self, *, start: Array, member: Array, parts: int, set_start: Array, set_member: Array) -> None: ...
