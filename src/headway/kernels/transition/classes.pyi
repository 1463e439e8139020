from headway.kernels.arrays import Array

class ClassTable:
    def __init__(self, *, action: Array, label: Array, number: Array, label_keys: Array, two_step: bool) -> None: ...
