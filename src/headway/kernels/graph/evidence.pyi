from headway.kernels.arrays import Array

EVIDENCE: tuple[str, ...]

def beside(scores: Array, siblings: Array, heads: Array) -> Array: ...
def weigh(
    offsets: Array, scores: Array, heads: Array, factor: float, single: bool, projective: bool, evidence: Array
) -> None: ...
