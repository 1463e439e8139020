"""Weights in model files: what their arrays may be, and how those of older files become packed ones."""

from __future__ import annotations

from headway.base.errors import HeadwayError
from headway.base.schema import Array, Arrays, Header, Kind, Numbers, one_of
from headway.kernels.weights.packed import PackedWeights

PACKED = "packed"
LATER: dict[str, Kind] = {"weights": one_of(PACKED)}
"""What the header says of weights, but for files of format 1 and 2."""
ARRAYS = {
    "lines": Numbers("|u1", fewest=1),
    "long_rows": Numbers("|u1"),
    "scale": Numbers("<f4", (1,), finite=True),
    "renumbered": Numbers("<i4", low=0),
    "learned_keys": Numbers("<u8"),
    "learned_rows": Numbers("<u4"),
}
"""The arrays of kernels/weights/packed.pyx; kernels are safe whatever bytes the first two hold."""
SLOTS = {"slots": Numbers("<u8", fewest=1), "rows": Numbers("<u4", fewest=1)}
"""Those of format 1 and 2."""


def arrays_in(header: Header, prefix: str = "") -> dict[str, Numbers]:
    """The arrays that weights have in a file, whose names begin with `prefix`."""
    kinds = ARRAYS if "weights" in header else SLOTS
    return {f"{prefix}{name}": kind for name, kind in kinds.items()}


def weights_in(header: Header, arrays: Arrays, classes: int, prefix: str = "") -> PackedWeights:
    """The weights in a file, for so many classes; those of older files are packed as they are, without loss."""
    own = {name: arrays[f"{prefix}{name}"] for name in (ARRAYS if "weights" in header else SLOTS)}
    try:
        if "weights" in header:
            return PackedWeights(own, classes)
        from headway.kernels.weights.packing import from_slots

        return from_slots(own["slots"], own["rows"], classes)
    except ValueError as error:
        raise HeadwayError(f"the weights of the model are damaged: {error}; train it again") from None


def packed_arrays(weights: PackedWeights, prefix: str = "") -> dict[str, Array]:
    """The arrays of weights as a file has them."""
    return {f"{prefix}{name}": array for name, array in weights.arrays().items()}
