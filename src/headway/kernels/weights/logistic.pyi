from headway.kernels.arrays import Array

def fit(
    start: Array,
    member: Array,
    target: Array,
    importance: Array,
    mislabels: Array,
    weights: Array,
    linear: float,
    quadratic: float,
    lowest: float,
    tolerance: float,
    sweeps: int,
) -> tuple[int, float]: ...
