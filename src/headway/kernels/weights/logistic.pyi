from headway.kernels.arrays import Array

def fit(
    *arrays: Array, linear: float, quadratic: float, lowest: float, tolerance: float, sweeps: int
) -> tuple[int, float]: ...
