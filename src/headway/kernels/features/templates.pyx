"""The numbers of templates.pxd, for the compilers of feature models, and their arrays as the kernels see them."""

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


cdef Templates templates_over(
    const int[:, ::1] address, const int[:, ::1] slot, const int[::1] start, const int[::1] member,
    const uint64_t[::1] seed, int columns,
):
    """A feature model over arrays that somebody else keeps, without parts."""
    cdef Templates model
    model.addresses, model.slots = <int> address.shape[0], <int> slot.shape[0]
    model.templates, model.columns, model.parts = <int> seed.shape[0], columns, 0
    model.address = &address[0, 0] if address.shape[0] else NULL
    model.slot = &slot[0, 0] if slot.shape[0] else NULL
    model.start, model.part, model.base = &start[0], NULL, NULL
    model.member = &member[0] if member.shape[0] else NULL
    model.seed = &seed[0] if seed.shape[0] else NULL
    return model


def mix_all(const uint64_t[::1] keys, const uint64_t[::1] values, uint64_t[::1] mixed):
    """Mix each key with a value, as the keys of templates are mixed."""
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        mixed[i] = mix(keys[i], values[i])
