"""Learned weights, and those of older files, in the layout of packed.pxd."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from headway.kernels.weights.hardware cimport prefetch
from headway.kernels.weights.packed cimport DENSE
from headway.kernels.weights.packer cimport Packer
from headway.kernels.weights.table cimport WeightRow, WeightTable, Weights, classes_of

cdef enum:
    AHEAD = 16      # rows lie anywhere in memory; this many are fetched while others are read


cdef int taken_of(
    const WeightTable* table, int f, double steps, double smallest, uint16_t* which, float* numbers
) noexcept nogil:
    """Write the classes and final weights of feature f that are not too small, and return how many there are."""
    cdef int i, found = 0
    cdef double weight
    cdef const uint16_t* classes
    cdef const WeightRow* row = table.rows + f
    if f + AHEAD < table.count:
        prefetch(row[AHEAD].data)
    if row.room == 0:
        return 0
    classes = classes_of(row) if row.room < table.classes else NULL
    for i in range(row.size):
        weight = row.data[i]
        if table.sum_plane:
            weight -= row.data[table.sum_plane * row.room + i] / steps
        if (weight > smallest or weight < -smallest) and <float> weight != 0:
            which[found] = i if classes == NULL else classes[i]
            numbers[found] = <float> weight
            found += 1
    return found


cdef void sort(uint16_t* which, float* numbers, int count) noexcept nogil:
    """By class; most rows have two or three, and long ones are sorted already."""
    cdef int i, j
    cdef uint16_t c
    cdef float number
    for i in range(1, count):
        c, number = which[i], numbers[i]
        j = i - 1
        while j >= 0 and which[j] > c:
            which[j + 1], numbers[j + 1] = which[j], numbers[j]
            j -= 1
        which[j + 1], numbers[j + 1] = c, number


def packed(Weights weights, double steps, double prune=0.0, *, bint exact=False):
    """The learned weights in the layout of packed.pxd, and how many they are.

    With averaging the weights are w − sum / steps. Weights not larger than `prune` times the root mean square of
    all are left out. `exact` ones stay floats. Features keep their order, so that the frequent ones, met early, lie
    close together where their rows are long.
    """
    cdef WeightTable* table = &weights.table
    cdef int i, f, count
    cdef long long numbered = 0
    cdef double total = 0, largest = 0, smallest
    cdef uint16_t[::1] class_buffer = np.empty(table.classes, np.uint16)
    cdef float[::1] number_buffer = np.empty(table.classes, np.float32)
    cdef uint16_t* which = &class_buffer[0]
    cdef float* numbers = &number_buffer[0]
    for f in range(table.count):
        count = taken_of(table, f, steps, 0, which, numbers)
        numbered += count
        for i in range(count):
            total += numbers[i] * numbers[i]
            largest = max(largest, fabs(numbers[i]))
    smallest = prune * sqrt(total / numbered) if numbered else 0
    cdef Packer packer = Packer(table.classes, largest, exact)
    for f in range(table.count):
        count = taken_of(table, f, steps, smallest, which, numbers)
        sort(which, numbers, count)
        packer.add(table.key[f], which, numbers, count)
    return packer.packed(), packer.weights


def from_slots(const uint64_t[::1] slots not None, const uint32_t[::1] rows not None, int classes):
    """Weights of files of format 1 and 2, as they are; ValueError where they are none.

    The upper half of a slot is that of a key, the lower half where its row begins in `rows`, 0 where the slot is free:
    a number of weights n and their classes, of 16 bits, then n floats; where n is 0xffff, a float for every class. At
    the end of the slots are rows[0] pairs of a whole key and where its row begins.
    """
    cdef uint64_t pairs = rows[0], size = slots.shape[0], i, slot, place, extent = rows.shape[0]
    cdef uint16_t[::1] which = np.empty(max(classes, 1 << 16), np.uint16)
    cdef const uint16_t* given
    cdef float[::1] numbers = np.empty(which.shape[0], np.float32)
    cdef uint64_t offset
    cdef int n, j
    cdef Packer packer = Packer(classes, 0, True)
    if 2 * pairs >= size:
        raise ValueError("the second table of the weights is larger than both")
    size -= 2 * pairs
    for i in range(size + pairs):
        slot = slots[i] if i < size else slots[size + 2 * (i - size) + 1]
        place = <uint32_t> slot
        if not slot:
            continue
        if not 0 < place < extent:
            raise ValueError("a feature leads to no row of weights")
        given = <const uint16_t*> &rows[place]
        n = given[0]
        if place + (1 + <uint64_t> classes if n == DENSE else 1 + n // 2 + n) > extent:
            raise ValueError("a row of weights is cut off")
        if n == DENSE:
            n = classes
            for j in range(n):
                which[j] = j
            offset = place + 1
        else:
            for j in range(n):
                which[j] = given[1 + j]
                if which[j] >= classes or j and which[j] <= which[j - 1]:
                    raise ValueError("a row of weights has classes that are not there, or not in order")
            offset = place + 1 + n // 2
        memcpy(&numbers[0], &rows[offset], n * sizeof(float))
        packer.add(slot if i < size else slots[size + 2 * (i - size)], &which[0], &numbers[0], n)
    return packer.packed()
