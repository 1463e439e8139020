"""See updating.pxd."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.weights.frozen cimport Model, add_rows, length_of, model_of, slot_of, slot_with

cdef enum:
    DENSE = 0xffff
    FEWEST = 1 << 10            # pairs of a second table
    BLOCK = 1 << 12             # 32-bit numbers


cdef class OwnWeights:
    """Weights as `frozen` gives them, checked, and copied once so that they can change. Linear time.

    ValueError where they are none: rows must follow one another to the end, and each slot must lead to one of its own.
    """

    def __init__(self, const uint64_t[::1] slots not None, const uint32_t[::1] rows not None, int classes):
        self.classes = classes
        self.features = assure_weights(slots, rows, classes)
        self.slot_array = np.array(slots)
        self.row_array = np.zeros(rows.shape[0] + rows.shape[0] // 8 + (1 << 16), np.uint32)
        self.row_array[: rows.shape[0]] = rows
        self.slots, self.rows = self.slot_array, self.row_array
        self.used = rows.shape[0]

    def __iter__(self):
        """Slots and rows as they are now, in the layout of frozen.pxd: views that change with them until they grow."""
        return iter((self.slot_array, self.row_array[: self.used]))

    def __reduce__(self):
        return type(self), (*self, self.classes)

    cdef Model model(self) noexcept:
        cdef Model model = model_of(self.slots, self.rows, self.classes)
        model.extent = self.used
        return model

    cdef int size_of(self, uint64_t key) noexcept:
        """How many weights a feature had before anything was learned from corrections, 0 for an unknown one."""
        cdef Model model = self.model()
        cdef const uint64_t* slot = slot_with(&model, key)
        cdef uint32_t first
        if slot == NULL:
            return 0
        first = self.rows[<uint32_t> slot[0]]
        if first & 0xffff != DENSE:
            return first & 0xffff
        return <int> (first >> 16) - 1 if first >> 16 else self.classes

    cdef float* row_of(self, uint64_t key) except NULL:
        """The dense row of a feature, made where there is none: a number for every class. May move all rows."""
        cdef Model model = self.model()
        cdef uint64_t* slot = <uint64_t*> slot_with(&model, key)
        cdef uint32_t before = <uint32_t> slot[0] if slot != NULL else 0
        cdef int size = self.size_of(key)
        cdef float* row
        if before and self.rows[before] & 0xffff == DENSE:
            return <float*> &self.rows[before] + 1
        self.make_room(1 + self.classes)
        row = <float*> &self.rows[self.used] + 1
        memset(row, 0, self.classes * sizeof(float))
        if before:
            model = self.model()
            add_rows(&model, &before, 1, row, NULL, 0)
        else:
            slot = self.new_slot(key)
        self.rows[self.used] = DENSE | <uint32_t> (size + 1) << 16
        slot[0] = slot[0] >> 32 << 32 | <uint64_t> self.used
        self.used += 1 + self.classes
        return row

    cdef int step(
        self, const uint64_t* keys, int count, const int* right, int rights, const int* wrong, int wrongs, double behind
    ) except -1:
        """One passive-aggressive step that lets classes `right` together gain what they are `behind` others; 1 if any.

        Weights of features that speak of few classes, mostly rare ones, move further, as if they had more variance:
        what frequent features have learned from the whole treebank is worth more than one sentence.
        """
        cdef double rate, total = 0
        cdef float* row
        cdef int i, j
        if behind <= 0 or not count or not rights + wrongs:
            return 0
        for i in range(count):
            total += rate_of(self.size_of(keys[i])) * (rights + wrongs)
        for i in range(count):
            rate = behind / total * rate_of(self.size_of(keys[i]))
            row = self.row_of(keys[i])
            for j in range(rights):
                row[right[j]] += <float> rate
            for j in range(wrongs):
                row[wrong[j]] -= <float> rate
        return 1

    cdef int make_room(self, Py_ssize_t wanted) except -1:
        """Room for a row behind all others."""
        if self.used + wanted <= self.rows.shape[0]:
            return 0
        if (self.used + wanted) >> 32:
            raise OverflowError("the model has more than 16 GiB of weights")
        larger = np.zeros(self.rows.shape[0] + self.rows.shape[0] // 4 + wanted, np.uint32)
        larger[: self.used] = self.row_array[: self.used]
        self.row_array = larger
        self.rows = larger
        return 0

    cdef uint64_t* new_slot(self, uint64_t key) except NULL:
        """The number for the place of a feature that no table has, in the second one, which stays half empty."""
        cdef Model model = self.model()
        cdef uint64_t pairs = model.added, at
        if 2 * (self.features + 1) > pairs:
            pairs = max(FEWEST, 2 * pairs)
            larger = np.zeros(model.size + 2 * pairs, np.uint64)
            larger[: model.size] = self.slot_array[: model.size]
            fill(larger[model.size :], self.slot_array[model.size :])
            self.slot_array = larger
            self.slots = larger
            self.rows[0] = <uint32_t> pairs
        self.features += 1
        at = free_pair(self.slots[model.size :], key)
        self.slots[model.size + 2 * at] = key
        return &self.slots[model.size + 2 * at + 1]

    def copied(self):
        """The same weights, which can change without these."""
        cdef OwnWeights found = self.begun_copy()
        found.row_array[: self.used] = self.row_array[: self.used]
        return found

    def renumbered(self, const int[::1] new not None, int classes):
        """The same weights, laid out for more classes: class c is now new[c]. Linear time.

        Rows stay where they are but for dense ones, which take more room: they move behind all others, and rows without
        weights stay in their places. Memory is gone through once and in its order.
        """
        cdef OwnWeights found = self.begun_copy()
        cdef uint32_t[::1] rows = found.rows
        cdef Model model = self.model()
        cdef unsigned char[::1] dense = np.zeros(self.used // 8 + 1, np.uint8)     # a bit where such a row begins
        cdef Py_ssize_t at = 1, end, here = 0, number = 0
        cdef uint64_t i
        cdef uint64_t* slot
        cdef uint32_t place
        cdef uint16_t* which
        cdef int n, c
        while at < self.used:
            n = self.rows[at] & 0xffff
            end = at + length_of(n, self.classes)
            while here < end:       # block by block, so that what is renumbered is still near
                memcpy(&rows[here], &self.rows[here], min(BLOCK, self.used - here) * sizeof(uint32_t))
                here += min(BLOCK, self.used - here)
            if n == DENSE:
                dense[at >> 3] |= 1 << (at & 7)
                number += 1
            else:
                which = <uint16_t*> &rows[at]
                for c in range(n):
                    which[1 + c] = <uint16_t> new[which[1 + c]]
            at = end
        found.make_room(number * (1 + classes))
        for i in range(model.size + model.added if number else 0):
            slot = numbered(&found.slots[0], &model, i)
            place = <uint32_t> slot[0]
            if slot[0] and dense[place >> 3] >> (place & 7) & 1:
                found.rows[found.used] = self.rows[place]
                memset(&found.rows[found.used] + 1, 0, classes * sizeof(float))
                for c in range(self.classes):
                    found.rows[found.used + 1 + new[c]] = self.rows[place + 1 + c]
                slot[0] = slot[0] >> 32 << 32 | <uint64_t> found.used
                found.used += 1 + classes
        for at in range(dense.shape[0]):
            for c in range(8 if dense[at] else 0):
                if dense[at] >> c & 1:
                    memset(&found.rows[8 * at + c], 0, (1 + self.classes) * sizeof(uint32_t))
        found.classes = classes
        return found

    cdef OwnWeights begun_copy(self):
        """The same slots, and room for the same rows, which have to be copied there."""
        cdef OwnWeights found = OwnWeights.__new__(OwnWeights)
        found.classes, found.features, found.used = self.classes, self.features, self.used
        found.slot_array, found.row_array = self.slot_array.copy(), np.empty(self.row_array.shape, np.uint32)
        found.row_array[0] = self.row_array[0]
        found.slots, found.rows = found.slot_array, found.row_array
        return found

    def add(self, uint64_t key, int which, float value):
        """Add to one weight."""
        if not 0 <= which < self.classes:
            raise ValueError(f"there is no class {which}; there are {self.classes}")
        self.row_of(key)[which] += value


cdef inline double rate_of(int size) noexcept:
    """How far a weight moves beside others, by the number of weights that its feature has; chosen on dev."""
    return 1.0 / ((1.0 + size) * (1.0 + size))


cdef inline uint64_t* numbered(uint64_t* slots, const Model* model, uint64_t i) noexcept:
    """One after the other, the numbers of both tables that say where rows begin."""
    return slots + (i if i < model.size else model.size + 2 * (i - model.size) + 1)


cdef uint64_t free_pair(const uint64_t[::1] pairs, uint64_t key) noexcept:
    """The first free pair for a key in a table that has one."""
    cdef uint64_t size = pairs.shape[0] // 2, at = slot_of(key, size)
    while pairs[2 * at + 1]:
        at = at + 1 if at + 1 < size else 0
    return at


cdef void fill(uint64_t[::1] pairs, const uint64_t[::1] before) noexcept:
    """Put the pairs of a table into a larger one."""
    cdef Py_ssize_t i
    cdef uint64_t at
    for i in range(before.shape[0] // 2):
        if before[2 * i + 1]:
            at = free_pair(pairs, before[2 * i])
            pairs[2 * at], pairs[2 * at + 1] = before[2 * i], before[2 * i + 1]


cdef uint64_t assure_weights(const uint64_t[::1] slots, const uint32_t[::1] rows, int classes) except? 0:
    """Refuse what are no weights for so many classes; returns how many features the second table has."""
    cdef Model model = model_of(slots, rows, classes)
    cdef uint64_t at = 1, i, slot, features = 0
    cdef uint32_t place
    cdef const uint16_t* which
    cdef unsigned char[::1] begins = np.zeros(model.extent, np.uint8)
    cdef int n, j
    if model.added != rows[0]:
        raise ValueError("its second table is larger than both")
    while at < model.extent:
        begins[at] = 1
        which = <const uint16_t*> &model.rows[at]
        n = which[0]
        at += length_of(n, classes)
        if at > model.extent:
            raise ValueError("its last row is cut off")
        for j in range(0 if n == DENSE else n):
            if which[1 + j] >= classes:
                raise ValueError("a row has a class that is not there")
    for i in range(model.size + model.added):
        slot = numbered(<uint64_t*> model.slots, &model, i)[0]
        place = <uint32_t> slot
        if not slot:
            continue
        if place >= model.extent or not begins[place]:
            raise ValueError("a slot leads to no row of its own")
        begins[place] = 0
        features += i >= model.size
    return features
