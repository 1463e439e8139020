"""See lookup.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from headway.kernels.weights.hardware cimport large_block


cdef bint reserve_slots(Slots* slots, long long keys) noexcept nogil:
    """Free slots for so many keys; False where memory is short."""
    cdef uint64_t size = 16
    while size < 2 * <uint64_t> keys:
        size *= 2
    slots.mask, slots.used = size - 1, 0
    slots.keys = <uint64_t*> large_block(size * sizeof(uint64_t))
    slots.numbers = <int*> large_block(size * sizeof(int))
    if slots.keys == NULL or slots.numbers == NULL:
        release_slots(slots)
        return False
    memset(slots.numbers, 255, size * sizeof(int))
    return True


cdef void release_slots(Slots* slots) noexcept nogil:
    free(slots.keys)
    free(slots.numbers)
    slots.keys = NULL
    slots.numbers = NULL


cdef bint grow(Slots* slots) noexcept nogil:
    """Twice as many slots; False where memory is short."""
    cdef Slots larger
    cdef uint64_t at, to
    if not reserve_slots(&larger, <long long> slots.mask + 1):
        return False
    for at in range(slots.mask + 1):
        if slots.numbers[at] >= 0:
            to = place_of(&larger, slots.keys[at])
            larger.keys[to], larger.numbers[to] = slots.keys[at], slots.numbers[at]
    larger.used = slots.used
    release_slots(slots)
    slots[0] = larger
    return True


cdef int number_of(Slots* slots, uint64_t key) noexcept nogil:
    cdef uint64_t at = place_of(slots, key)
    if slots.numbers[at] < 0:
        if 2 * slots.used > <long long> slots.mask:
            if not grow(slots):
                return -1
            at = place_of(slots, key)
        slots.keys[at], slots.numbers[at] = key, <int> slots.used
        slots.used += 1
    return slots.numbers[at]


cdef class Lookup:
    """Numbers keys in the order in which they are given; of equal keys the first counts."""

    def __cinit__(self, const uint64_t[::1] keys):
        cdef Py_ssize_t i
        cdef uint64_t at
        if not reserve_slots(&self.slots, keys.shape[0]):
            raise MemoryError
        with nogil:
            for i in range(keys.shape[0]):
                at = place_of(&self.slots, keys[i])
                if self.slots.numbers[at] < 0:
                    self.slots.keys[at], self.slots.numbers[at] = keys[i], <int> i

    def __dealloc__(self):
        release_slots(&self.slots)

    def find(self, const uint64_t[::1] keys, int[::1] numbers):
        """Write the number of each key, -1 where it has none."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(keys.shape[0]):
                numbers[i] = find(&self.slots, keys[i])

    def add_weights(
        self, const long long[::1] start, const int[::1] classes, const float[::1] weights, const uint64_t[::1] keys,
        const long long[::1] group, double[:, ::1] sums,
    ):
        """Add the weights of each key to a row of `sums`, that of its group, by their classes.

        A key with number f has weights[start[f] : start[f + 1]] for as many `classes`.
        """
        cdef Py_ssize_t i
        with nogil:
            for i in range(keys.shape[0]):
                add_weights(&self.slots, keys[i], start, classes, weights, &sums[group[i], 0])


def number(const uint64_t[::1] keys, int[::1] numbers, uint64_t[::1] distinct):
    """Number equal keys alike, in the order in which they come; write the distinct keys, return how many there are."""
    cdef Slots slots
    cdef Py_ssize_t i
    cdef long long before
    cdef bint done = True
    if not reserve_slots(&slots, keys.shape[0] // 8):
        raise MemoryError
    with nogil:
        for i in range(keys.shape[0]):
            before = slots.used
            numbers[i] = number_of(&slots, keys[i])
            if numbers[i] < 0:
                done = False
                break
            if slots.used > before:
                distinct[before] = keys[i]
        release_slots(&slots)
    if not done:
        raise MemoryError
    return slots.used


def tally(const long long[::1] start, const int[::1] numbers, int[::1] last, long long[::1] counts):
    """Count in how many rows each number stands, however often; `last` is -1 for each number.

    Row r has the entries numbers[start[r] : start[r + 1]].
    """
    cdef Py_ssize_t row, at
    with nogil:
        for row in range(start.shape[0] - 1):
            for at in range(start[row], start[row + 1]):
                if last[numbers[at]] != row:
                    last[numbers[at]] = <int> row
                    counts[numbers[at]] += 1


def columns(
    const long long[::1] start, const int[::1] numbers, const int[::1] column, int[::1] last, long long[::1] place,
    int[::1] member,
):
    """Turn rows into columns: write the rows of number x, each once, to member[place[column[x]]:], which moves on.

    Numbers of column -1 are left out; `last` is -1 for each column.
    """
    cdef Py_ssize_t row, at
    cdef int c
    with nogil:
        for row in range(start.shape[0] - 1):
            for at in range(start[row], start[row + 1]):
                c = column[numbers[at]]
                if c >= 0 and last[c] != row:
                    last[c] = <int> row
                    member[place[c]] = <int> row
                    place[c] += 1


def merge(
    const uint64_t[::1] keys, const long long[::1] start, const int[::1] classes, const float[::1] weights,
    const uint64_t[::1] more_keys, const int[::1] more_classes, const float[::1] more_weights,
    uint64_t[::1] merged_keys, long long[::1] merged_start, int[::1] merged_classes, float[::1] merged_weights,
):
    """Write a linear model with more weights, which come one by one and add to its own; how many features it has then.

    Feature keys[f] has weights[start[f] : start[f + 1]] for as many `classes`. O(weights).
    """
    cdef Py_ssize_t known = keys.shape[0], most = more_keys.shape[0], f = 0, e = 0, features = 0
    cdef long long at, end, size = 0
    with nogil:
        while f < known or e < most:
            at = end = 0
            if f < known and (e == most or keys[f] <= more_keys[e]):
                merged_keys[features], at, end = keys[f], start[f], start[f + 1]
                f += 1
            else:
                merged_keys[features] = more_keys[e]
            merged_start[features] = size
            while at < end or (e < most and more_keys[e] == merged_keys[features]):
                if at < end and not (
                    e < most and more_keys[e] == merged_keys[features] and more_classes[e] <= classes[at]
                ):
                    merged_classes[size], merged_weights[size] = classes[at], weights[at]
                    at += 1
                else:
                    merged_classes[size], merged_weights[size] = more_classes[e], more_weights[e]
                    if at < end and classes[at] == more_classes[e]:
                        merged_weights[size] += weights[at]
                        at += 1
                    e += 1
                size += 1
            features += 1
        merged_start[features] = size
    return features
