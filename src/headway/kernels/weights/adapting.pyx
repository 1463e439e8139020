"""See adapting.pxd."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from headway.kernels.weights.frozen cimport Model, evaluate, slot_of


cdef class OwnWeights:
    """Weights as `frozen` gives them, copied once so that they can change. Linear time."""

    def __init__(self, const uint64_t[::1] slots not None, const uint32_t[::1] rows not None, int classes):
        self.classes = classes
        self.slot_array = np.array(slots)
        self.row_array = np.zeros(rows.shape[0] + rows.shape[0] // 8 + (1 << 16), np.uint32)
        self.row_array[: rows.shape[0]] = rows
        self.slots, self.rows = self.slot_array, self.row_array
        self.used = self.begin = rows.shape[0]
        self.features = int(np.count_nonzero(self.slot_array))

    def arrays(self):
        """The weights as they are now, in the layout of frozen.pxd: views that change with them until they grow."""
        return self.slot_array, self.row_array[: self.used]

    cdef Model model(self) noexcept:
        cdef Model model
        model.classes, model.size, model.extent = self.classes, self.slots.shape[0], self.used
        model.slots, model.rows = &self.slots[0], &self.rows[0]
        return model

    cdef int size_of(self, uint64_t key) noexcept:
        """How many weights a feature had before anything was learned from corrections, 0 for an unknown one."""
        cdef uint64_t at = slot_of(key, self.slots.shape[0])
        cdef uint32_t first
        while self.slots[at]:
            if self.slots[at] >> 32 == key >> 32:
                first = self.rows[<uint32_t> self.slots[at]]
                if first & 0xffff != 0xffff:
                    return first & 0xffff
                return <int> (first >> 16) - 1 if first >> 16 else self.classes
            at = at + 1 if at + 1 < <uint64_t> self.slots.shape[0] else 0
        return 0

    cdef float* row_of(self, uint64_t key) except NULL:
        """The own row of a feature, made where there is none: a number for every class. May move all rows."""
        cdef uint64_t at = slot_of(key, self.slots.shape[0]), slot = 0
        cdef Py_ssize_t place, wanted = 1 + self.classes
        cdef Model model = self.model()
        cdef uint32_t found
        cdef int size = self.size_of(key)
        cdef float* row
        while self.slots[at]:
            slot = self.slots[at]
            if slot >> 32 == key >> 32:
                break
            slot = 0
            at = at + 1 if at + 1 < <uint64_t> self.slots.shape[0] else 0
        if slot and <uint32_t> slot >= self.begin:
            return <float*> &self.rows[<uint32_t> slot] + 1
        if self.used + wanted > self.rows.shape[0]:
            larger = np.zeros(self.rows.shape[0] + self.rows.shape[0] // 4 + wanted, np.uint32)
            larger[: self.used] = self.row_array[: self.used]
            self.row_array = larger
            self.rows = larger
            model = self.model()
        if (self.used + wanted) >> 32 or (not slot and 8 * self.features > 7 * self.slots.shape[0]):
            raise MemoryError
        place = self.used
        row = <float*> &self.rows[place] + 1
        memset(row, 0, self.classes * sizeof(float))
        if slot:
            evaluate(&model, &key, 1, &found, row)
        else:
            self.features += 1
        self.rows[place] = 0xffff | <uint32_t> (size + 1) << 16
        self.slots[at] = key >> 32 << 32 | <uint64_t> place
        self.used += wanted
        return row

    def add(self, uint64_t key, int which, float value):
        """Add to one weight."""
        if not 0 <= which < self.classes:
            raise ValueError(f"there is no class {which}; there are {self.classes}")
        self.row_of(key)[which] += value


def remapped(const uint64_t[::1] slots, const uint32_t[::1] rows, const int[::1] new, int classes):
    """The same weights for more classes: class c is now new[c]. Linear time."""
    cdef Py_ssize_t i, extent = 1, at = 1, j, n, old = new.shape[0]
    cdef uint32_t place
    cdef const uint16_t* which
    for i in range(slots.shape[0]):
        if slots[i]:
            n = (<const uint16_t*> &rows[<uint32_t> slots[i]])[0]
            extent += 1 + classes if n == 0xffff else 1 + n // 2 + n
    new_slots, new_rows = np.zeros(slots.shape[0], np.uint64), np.zeros(extent, np.uint32)
    cdef uint64_t[::1] slot_view = new_slots
    cdef uint32_t[::1] row_view = new_rows
    for i in range(slots.shape[0]):
        if not slots[i]:
            continue
        place = <uint32_t> slots[i]
        which = <const uint16_t*> &rows[place]
        n = which[0]
        slot_view[i] = slots[i] >> 32 << 32 | <uint64_t> at
        if n == 0xffff:
            row_view[at] = rows[place]
            for j in range(old):
                row_view[at + 1 + new[j]] = rows[place + 1 + j]
            at += 1 + classes
        else:
            (<uint16_t*> &row_view[at])[0] = <uint16_t> n
            for j in range(n):
                (<uint16_t*> &row_view[at])[1 + j] = <uint16_t> new[which[1 + j]]
                row_view[at + 1 + n // 2 + j] = rows[place + 1 + n // 2 + j]
            at += 1 + n // 2 + n
    return new_slots, new_rows
