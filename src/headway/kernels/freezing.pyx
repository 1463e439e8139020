"""Learned weights in the layout that parsing reads, of model.pxd."""

from libc.math cimport sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.model cimport Model, evaluate, slot_of
from headway.kernels.weights cimport Row, Table, Weights, classes_of

cdef enum:
    DENSE = 4       # a row of the model is dense where it holds more than a fourth of the classes


cdef double root_mean_square(const Table* table, double steps, float* values) noexcept nogil:
    """Of all weights that are not zero."""
    cdef double total = 0
    cdef long long count = 0
    cdef int f, c
    for f in range(table.count):
        if fill(table, table.rows + f, steps, 0, values):
            for c in range(table.classes):
                if values[c] != 0:
                    total += values[c] * values[c]
                    count += 1
    return sqrt(total / count) if count else 0


cdef uint64_t row_words(int filled, int classes) noexcept nogil:
    if DENSE * filled > classes:
        return 1 + classes
    return 1 + filled // 2 + filled


cdef int fill(
    const Table* table, const Row* row, double steps, double smallest, float* values
) noexcept nogil:
    """Write the final weights of a row to `values` and return how many are not zero."""
    cdef int i, at, filled = 0
    cdef double weight
    cdef const uint16_t* classes
    memset(values, 0, table.classes * sizeof(float))
    if row.room == 0:
        return 0
    classes = classes_of(table, row) if row.room < table.classes else NULL
    for i in range(row.size):
        weight = row.data[i]
        if table.sum_plane:
            weight -= row.data[table.sum_plane * row.room + i] / steps
        if weight > smallest or weight < -smallest:
            at = i if classes == NULL else classes[i]
            values[at] = <float> weight
            filled += values[at] != 0
    return filled


def frozen(Weights weights, double steps, double prune=0.0):
    """The learned weights in the layout of `kernels/model.pxd`: slots, rows, and how many weights they hold.

    With averaging the weights are w − sum / steps. Weights not larger than `prune` times the root mean square of
    all are left out. Features keep their order, so that the frequent ones, met early, lie close together.
    """
    cdef Table* table = &weights.table
    cdef int classes = table.classes, i, j, f, filled
    cdef uint64_t at, size, offset = 1, features = 0, total = 0, words = 1
    cdef float[::1] values = np.empty(classes, np.float32)
    cdef double smallest = prune * root_mean_square(table, steps, &values[0]) if prune > 0 else 0
    cdef uint32_t* out
    cdef float* numbers
    cdef uint16_t* which
    for f in range(table.count):
        filled = fill(table, table.rows + f, steps, smallest, &values[0])
        if filled:
            features += 1
            total += filled
            words += row_words(filled, classes)
    if words >> 32:
        raise OverflowError("the model has more than 16 GiB of weights")
    size = features * 3 // 2 + 8
    slots = np.zeros(size, np.uint64)
    rows = np.zeros(words, np.uint32)
    cdef uint64_t[::1] slot_view = slots
    cdef uint32_t[::1] row_view = rows
    for f in range(table.count):
        filled = fill(table, table.rows + f, steps, smallest, &values[0])
        if not filled:
            continue
        at = slot_of(table.key[f], size)
        while slot_view[at]:
            at = at + 1 if at + 1 < size else 0
        slot_view[at] = table.key[f] >> 32 << 32 | offset
        out = &row_view[offset]
        if DENSE * filled > classes:
            out[0] = 0xffff
            memcpy(out + 1, &values[0], classes * sizeof(float))
        else:
            which = <uint16_t*> out
            which[0] = filled
            numbers = <float*> (out + 1 + filled // 2)
            i = 0
            for j in range(classes):
                if values[j] != 0:
                    which[1 + i] = j
                    numbers[i] = values[j]
                    i += 1
        offset += row_words(filled, classes)
    return slots, rows, int(total)


def scores(const uint64_t[::1] slots, const uint32_t[::1] rows, int classes, const uint64_t[::1] keys):
    """The scores of all classes that weights as `frozen` gives them have for features by key."""
    cdef Model model
    cdef int count = <int> keys.shape[0]
    model.classes, model.size, model.extent = classes, slots.shape[0], rows.shape[0]
    model.slots, model.rows = &slots[0], &rows[0]
    found = np.empty(classes, np.float32)
    cdef float[::1] view = found
    cdef uint32_t[::1] places = np.empty(max(1, count), np.uint32)
    found[:] = 0
    if count:
        evaluate(&model, &keys[0], count, &places[0], &view[0])
    return found
