from headway.kernels.arrays import Array

KINDS: dict[str, int]
OUTSIDE: dict[str, int]

class SequenceTable:
    def __init__(
        self, *, slot: Array, start: Array, member: Array, seed: Array, fixed: int, columns: int, attributes: int
    ) -> None: ...
    @property
    def memory(self) -> int: ...

class ChoiceTable:
    def __init__(self, *, start: Array, member: Array, parts: int, set_start: Array, set_member: Array) -> None: ...
