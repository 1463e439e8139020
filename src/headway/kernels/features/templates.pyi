from headway.kernels.arrays import Array

MOST: dict[str, int]
TAKE_STEP: int
SLOTS: dict[str, int]
ROOT_KEY: int

def mix_all(keys: Array, values: Array, mixed: Array) -> None: ...
