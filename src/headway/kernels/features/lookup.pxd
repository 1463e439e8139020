"""Numbers of 64-bit keys, by open addressing: the slot of a key is the first free one from its hash on."""

from libc.stdint cimport uint64_t

cdef struct Slots:
    uint64_t mask           # number of slots - 1, a power of two less one; at least half of them are free
    uint64_t* keys
    int* numbers            # -1 where the slot is free
    long long used


cdef class Lookup:
    cdef Slots slots


cdef bint reserve_slots(Slots* slots, long long keys) noexcept nogil
cdef void release_slots(Slots* slots) noexcept nogil
cdef int number_of(Slots* slots, uint64_t key) noexcept nogil   # a new one where need be; -1 where memory is short


cdef inline uint64_t place_of(const Slots* slots, uint64_t key) noexcept nogil:
    """The slot of a key, or the free one where it belongs."""
    cdef uint64_t at = (key ^ (key >> 29)) & slots.mask
    while slots.numbers[at] >= 0 and slots.keys[at] != key:
        at = (at + 1) & slots.mask
    return at


cdef inline int find(const Slots* slots, uint64_t key) noexcept nogil:
    """The number of a key, -1 where it has none."""
    return slots.numbers[place_of(slots, key)]


cdef inline void add_weights(
    const Slots* slots, uint64_t key, const long long[::1] start, const int[::1] classes, const float[::1] weights,
    double* sums,
) noexcept nogil:
    """Add the weights of a key to the sums of their classes: number f has weights[start[f] : start[f + 1]]."""
    cdef int row = find(slots, key)
    cdef long long at
    if row >= 0:
        for at in range(start[row], start[row + 1]):
            sums[classes[at]] += weights[at]
