"""Learned weights in the layout that parsing reads, of frozen.pxd."""

from libc.math cimport sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.weights.frozen cimport Model, evaluate, length_of, model_of, slot_of
from headway.kernels.weights.hardware cimport prefetch
from headway.kernels.weights.table cimport WeightRow, WeightTable, Weights, classes_of

cdef enum:
    AHEAD = 16      # rows lie anywhere in memory; this many are fetched while others are read
    DENSE = 4       # a row of the model is dense where it holds more than a fourth of the classes


cdef int taken(
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


cdef double root_mean_square(const WeightTable* table, double steps, uint16_t* which, float* numbers) noexcept nogil:
    """Of all weights that are not zero."""
    cdef double total = 0
    cdef long long count = 0
    cdef int f, i, found
    for f in range(table.count):
        found = taken(table, f, steps, 0, which, numbers)
        count += found
        for i in range(found):
            total += numbers[i] * numbers[i]
    return sqrt(total / count) if count else 0


cdef inline int marked(int count, int classes) noexcept nogil:
    """What a row with so many weights says that it has: 0xffff where it is dense."""
    return 0xffff if DENSE * count > classes else count


def frozen(Weights weights, double steps, double prune=0.0):
    """The learned weights in the layout of `kernels/weights/frozen.pxd`: slots, rows, and how many weights they hold.

    With averaging the weights are w − sum / steps. Weights not larger than `prune` times the root mean square of
    all are left out. Features keep their order, so that the frequent ones, met early, lie close together.
    """
    cdef WeightTable* table = &weights.table
    cdef int classes = table.classes, i, f, count
    cdef uint64_t at, size, offset = 1, features = 0, total = 0, words = 1
    cdef uint16_t[::1] class_buffer = np.empty(classes, np.uint16)
    cdef float[::1] number_buffer = np.empty(classes, np.float32)
    cdef uint16_t* which = &class_buffer[0]
    cdef float* numbers = &number_buffer[0]
    cdef double smallest = prune * root_mean_square(table, steps, which, numbers) if prune > 0 else 0
    cdef uint32_t* out
    for f in range(table.count):
        count = taken(table, f, steps, smallest, which, numbers)
        if count:
            features += 1
            total += count
            words += length_of(marked(count, classes), classes)
    if words >> 32:
        raise OverflowError("the model has more than 16 GiB of weights")
    size = features * 3 // 2 + 8
    cdef uint64_t[::1] slots = np.zeros(size, np.uint64)
    cdef uint32_t[::1] rows = np.zeros(words, np.uint32)
    for f in range(table.count):
        if f + AHEAD < table.count:
            prefetch(&slots[slot_of(table.key[f + AHEAD], size)])
        count = taken(table, f, steps, smallest, which, numbers)
        if not count:
            continue
        at = slot_of(table.key[f], size)
        while slots[at]:
            at = at + 1 if at + 1 < size else 0
        slots[at] = table.key[f] >> 32 << 32 | offset
        out = &rows[offset]
        out[0] = marked(count, classes)
        if out[0] == 0xffff:
            for i in range(count):
                (<float*> out)[1 + which[i]] = numbers[i]
        else:
            sort(which, numbers, count)
            memcpy(<uint16_t*> out + 1, which, count * sizeof(uint16_t))
            memcpy(out + 1 + count // 2, numbers, count * sizeof(float))
        offset += length_of(out[0] & 0xffff, classes)
    return slots.base, rows.base, int(total)


def weights_of(
    const uint64_t[::1] slots, const uint32_t[::1] rows, int classes, const uint64_t[::1] keys, const int[::1] which,
):
    """The weights [key, class] that single features, by key, have for some classes, as `frozen` gives them."""
    cdef Model model = model_of(slots, rows, classes)
    cdef Py_ssize_t i, j
    cdef float[:, ::1] found = np.empty((keys.shape[0], which.shape[0]), np.float32)
    cdef float[::1] scores = np.empty(classes, np.float32)
    cdef uint32_t place
    for i in range(keys.shape[0]):
        memset(&scores[0], 0, classes * sizeof(float))
        evaluate(&model, &keys[i], 1, &place, &scores[0])
        for j in range(which.shape[0]):
            found[i, j] = scores[which[j]]
    return found.base
