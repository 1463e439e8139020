from headway.kernels.arrays import Array

MOST: dict[str, int]
TAKE_STEP: int
SLOTS: dict[str, int]
ROOT_KEY: int

class TemplateTable:
    def __init__(self, **arrays: Array | None) -> None: ...

class WordTable:
    def __init__(self, *, keys: Array, start: Array, features: Array) -> None: ...

def mix_all(keys: Array, values: Array, mixed: Array) -> None: ...
