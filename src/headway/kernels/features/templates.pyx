"""The numbers of templates.pxd, for the compilers of feature models."""

from libc.stdint cimport uint64_t

MOST = {"addresses": MOST_ADDRESSES, "slots": MOST_SLOTS}
TAKE_STEP = STEP
ROOT_KEY = THE_ROOT
"""What every column of the root holds."""
SLOTS = {
    "column": COLUMN,
    "DEP": LABEL,
    "DISTANCE": DISTANCE,
    "LEFT": LEFT_VALENCY,
    "RIGHT": RIGHT_VALENCY,
    "FEAT": EACH_FEATURE,
    "SIDE": SIDE,
}


def mix_all(const uint64_t[::1] keys, const uint64_t[::1] values, uint64_t[::1] mixed):
    """Mix each key with a value, as the keys of templates are mixed."""
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        mixed[i] = mix(keys[i], values[i])
