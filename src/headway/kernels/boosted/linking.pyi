from headway.kernels.arrays import Argument, Array

LONGEST: int
MEMORY: int
ITEMS: int

def unusable(offsets: Array, static: Array, none: bool) -> int: ...
def decode(*arrays: Array, **others: Argument) -> tuple[int, int]: ...
