"""See updating.pxd."""

from libc.math cimport fmax
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.weights.frozen cimport Model, add_rows, length_of, model_of, slot_of, slot_with

cdef enum:
    DENSE = 0xffff
    FEWEST = 1 << 10            # pairs of a second table
    FEW = 4                     # weights of a row that begins

cdef double CLEARLY = 2         # the margin by which classes are to win where features are rare; chosen on dev
cdef double DOUBT = 10          # how much variance their features need for that, r of AROW; chosen on dev


cdef inline double variance_of(int size) noexcept:
    """How far a weight moves beside others, by the number of weights that its feature has now; chosen on dev."""
    return 1.0 / ((1.0 + size) * (1.0 + size))


cdef class OwnWeights:
    """Weights as `frozen` gives them, checked, and copied once so that they can change. Linear time.

    ValueError where they are none: rows must follow one another to the end, and each slot must lead to one of its own.
    """

    def __init__(self, const uint64_t[::1] slots not None, const uint32_t[::1] rows not None, int classes):
        self.classes = classes
        self.features = assure_weights(slots, rows, classes)
        self.slot_array = np.array(slots)
        self.row_array = np.zeros(room_for(rows.shape[0]), np.uint32)
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
        """How many weights a feature has, 0 for an unknown one."""
        cdef Model model = self.model()
        cdef const uint64_t* slot = slot_with(&model, key)
        cdef const uint32_t* row
        cdef int n, i, size = 0
        if slot == NULL:
            return 0
        row = &self.rows[<uint32_t> slot[0]]
        n = row[0] & 0xffff
        if n == DENSE:
            return self.classes
        for i in range(n):
            size += (<const float*> (row + 1 + n // 2))[i] != 0
        return size

    cdef int move(self, uint64_t key, int which, float by) except -1:
        """Add to one weight of a feature; its row grows where it has no place for the class. May move all rows."""
        cdef Model model = self.model()
        cdef uint64_t* slot = <uint64_t*> slot_with(&model, key)
        cdef uint32_t before = <uint32_t> slot[0] if slot != NULL else 0
        cdef int n = self.rows[before] & 0xffff if before else 0, at
        if n == DENSE:
            (<float*> &self.rows[before + 1])[which] += by
            return 0
        at = place_in(&self.rows[before], n, which)
        if at < 0:
            before = self.longer(before, n)
            if slot == NULL:
                slot = self.new_slot(key)
            slot[0] = slot[0] >> 32 << 32 | before
            return self.move(key, which, by)
        (<uint16_t*> &self.rows[before])[1 + at] = which
        (<float*> (&self.rows[before] + 1 + n // 2))[at] += by
        return 0

    cdef int64_t longer(self, uint32_t before, int n) except -1:
        """Where a copy of a row of n weights begins that has room for more; without a row, that of a new one."""
        cdef Model model
        cdef int room = max(FEW, 2 * n)
        cdef int64_t place
        cdef uint32_t* row
        if 4 * room > self.classes:
            room = DENSE
        self.make_room(length_of(room, self.classes))
        place = self.used
        row = &self.rows[place]
        memset(row, 0, length_of(room, self.classes) * sizeof(uint32_t))
        if room == DENSE and n:
            model = self.model()
            add_rows(&model, &before, 1, <float*> (row + 1), NULL, 0)
        elif n:
            memcpy(row, &self.rows[before], (1 + n) * sizeof(uint16_t))
            memcpy(row + 1 + room // 2, &self.rows[before] + 1 + n // 2, n * sizeof(float))
        (<uint16_t*> row)[0] = room
        self.used += length_of(room, self.classes)
        return place

    cdef int step(
        self, const uint64_t* keys, int count, const int* right, int rights, const int* wrong, int wrongs,
        double margin, double wanted,
    ) except -1:
        """One step that lets classes `right` together win by the margin that is wanted, or by more; 1 if there was one.

        Features that speak of few classes, mostly rare ones, have more variance: what frequent ones have learned from
        the whole treebank is worth more than one sentence. With much variance the step is that of AROW (Crammer,
        Kulesza and Dredze 2009) to a clear margin, which helps elsewhere, too; at least it is passive-aggressive.
        """
        cdef double step, moved, variance = 0
        cdef int i, j
        if margin >= fmax(wanted, CLEARLY) or not count or not rights + wrongs:
            return 0
        for i in range(count):
            variance += variance_of(self.size_of(keys[i])) * (rights + wrongs)
        step = fmax((CLEARLY - margin) / (variance + DOUBT), (wanted - margin) / variance)
        for i in range(count):
            moved = step * variance_of(self.size_of(keys[i]))
            for j in range(rights):
                self.move(keys[i], right[j], <float> moved)
            for j in range(wrongs):
                self.move(keys[i], wrong[j], <float> -moved)
        return 1

    cdef int make_room(self, Py_ssize_t wanted) except -1:
        """Room for a row behind all others."""
        if self.used + wanted > self.rows.shape[0]:
            larger = np.empty(room_for(self.used + wanted), np.uint32)
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
        cdef OwnWeights found = self.begun_copy(self.used)
        found.row_array[: self.used] = self.row_array[: self.used]
        return found

    def renumbered(self, const int[::1] new not None, int classes):
        """The same weights, laid out for more classes: class c is now new[c]. Linear time.

        Rows are gone through once and in their order; those that were outgrown are left out.
        """
        cdef OwnWeights found = self.begun_copy(self.used * classes // self.classes)
        cdef Model model = self.model()
        cdef uint32_t[::1] moved = np.zeros(self.used, np.uint32)  # by place: 1 if a slot leads there, then the new one
        cdef uint64_t i
        cdef uint64_t* slot
        cdef uint32_t* row
        cdef Py_ssize_t at = 1, length
        cdef int n, c
        for i in range(model.size + model.added):
            slot = numbered(&found.slots[0], &model, i)
            moved[<uint32_t> slot[0]] = slot[0] != 0
        found.used = 1
        while at < self.used:
            n = self.rows[at] & 0xffff
            length = length_of(n, self.classes)
            if moved[at]:
                row = &found.rows[found.used]
                moved[at] = <uint32_t> found.used
                found.used += length_of(n, classes)
                if n == DENSE:
                    memset(row, 0, length_of(n, classes) * sizeof(uint32_t))
                    row[0] = DENSE
                    for c in range(self.classes):
                        row[1 + new[c]] = self.rows[at + 1 + c]
                else:
                    memcpy(row, &self.rows[at], length * sizeof(uint32_t))
                    for c in range(n):
                        (<uint16_t*> row)[1 + c] = <uint16_t> new[(<uint16_t*> row)[1 + c]]
            at += length
        for i in range(model.size + model.added):
            slot = numbered(&found.slots[0], &model, i)
            if slot[0]:
                slot[0] = slot[0] >> 32 << 32 | moved[<uint32_t> slot[0]]
        found.classes = classes
        return found

    cdef OwnWeights begun_copy(self, Py_ssize_t wanted):
        """The same slots, and room for so many 32-bit numbers of rows and some more; rows have to be copied there."""
        cdef OwnWeights found = OwnWeights.__new__(OwnWeights)
        found.classes, found.features, found.used = self.classes, self.features, self.used
        found.slot_array, found.row_array = self.slot_array.copy(), np.empty(room_for(wanted), np.uint32)
        found.row_array[0] = self.row_array[0]
        found.slots, found.rows = found.slot_array, found.row_array
        return found

    def add(self, uint64_t key, int which, float value):
        """Add to one weight."""
        if not 0 <= which < self.classes:
            raise ValueError(f"there is no class {which}; there are {self.classes}")
        self.move(key, which, value)


cdef Py_ssize_t room_for(Py_ssize_t wanted) except -1:
    """So many 32-bit numbers of rows and some more; refused where slots cannot say where they begin."""
    if wanted >> 32:
        raise OverflowError("the model has more than 16 GiB of weights")
    return min(wanted + wanted // 4 + (1 << 16), <Py_ssize_t> 1 << 32)


cdef int place_in(const uint32_t* row, int n, int which) noexcept:
    """Where a class stands among the n of a row, or may: in the place of a weight of 0; -1 where it cannot."""
    cdef const uint16_t* classes = <const uint16_t*> row
    cdef const float* weights = <const float*> (row + 1 + n // 2)
    cdef int i, free = -1
    for i in range(n):
        if classes[1 + i] == which:
            return i
        if free < 0 and weights[i] == 0:
            free = i
    return free


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
