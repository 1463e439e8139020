"""See updating.pxd."""

from libc.math cimport fmax, sqrt
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.lookup cimport find, number_of
from headway.kernels.weights.packed cimport (
    DENSE, IN_LONG_ROWS, PackedWeights, Row, add_rows, find_in_buckets, length_of, open_long,
)

cdef enum:
    FEW = 4                     # weights of a row that begins


cdef double CLEARLY = 2         # the margin by which classes are to win where features are rare; chosen on dev
cdef double DOUBT = 50          # how much variance their features need for that, r of AROW; chosen on dev


cdef inline double variance_of(int size) noexcept:
    """How far a weight moves beside others, by the number of weights that its feature has now; chosen on dev."""
    return 1.0 / ((1.0 + size) * sqrt(1.0 + size))


cdef class OwnWeights(PackedWeights):
    """Packed weights that can change. Linear in what corrections have touched before."""

    def __init__(self, arrays, int classes):
        """As those of `PackedWeights`."""
        PackedWeights.__init__(self, arrays, classes)
        self.used = self.learned_rows.shape[0]
        self.unpacked = np.empty(classes, np.float32)

    @staticmethod
    def of_others(PackedWeights others not None):
        """The same weights, which can change without these; the table is shared."""
        return OwnWeights(others.arrays(), others.classes)

    cdef int size_of(self, uint64_t key) noexcept:
        """How many weights a feature has, 0 for an unknown one."""
        cdef int number = find(&self.learned, key), n, i, size = 0
        cdef const float* weights
        cdef Row row
        if number < 0:
            row.count = 0
            if find_in_buckets(&self.own, key, &row) and row.count == IN_LONG_ROWS:
                open_long(&self.own, &row)
            return self.own.dense if row.count == DENSE else row.count
        n = self.learned_rows[self.places[number]] & 0xffff
        if n == DENSE:
            return self.classes
        weights = <const float*> (&self.learned_rows[self.places[number]] + 1 + n // 2)
        for i in range(n):
            size += weights[i] != 0
        return size

    cdef int number_for(self, uint64_t key) except -1:
        """The number of a feature among those that corrections touched, which it now is."""
        cdef int number = find(&self.learned, key), n = 0, i, place
        cdef Row row
        cdef int64_t at
        cdef uint16_t* classes
        cdef float* weights
        if number >= 0:
            return number
        memset(&self.unpacked[0], 0, self.classes * sizeof(float))
        if find_in_buckets(&self.own, key, &row):
            add_rows(&self.own, &row, 1, &self.unpacked[0], NULL, 0)
        for i in range(self.classes):
            n += self.unpacked[i] != 0
        at = self.longer(-1, n)
        if self.learned_rows[at] & 0xffff == DENSE:
            memcpy(&self.learned_rows[at + 1], &self.unpacked[0], self.classes * sizeof(float))
        else:
            classes = <uint16_t*> &self.learned_rows[at]
            weights = <float*> (&self.learned_rows[at] + 1 + classes[0] // 2)
            place = 0
            for i in range(self.classes):
                if self.unpacked[i] != 0:
                    classes[1 + place], weights[place] = i, self.unpacked[i]
                    place += 1
        number = number_of(&self.learned, key)
        if number < 0:
            raise MemoryError
        if number >= self.keys.shape[0]:
            self.keys = np.resize(self.keys, 2 * number + 64)
            self.places = np.resize(self.places, 2 * number + 64)
        self.keys[number], self.places[number] = key, <uint32_t> at
        self.point()
        return number

    cdef int move(self, uint64_t key, int which, float by) except -1:
        """Add to one weight of a feature; its row grows where it has no place for the class. May move all rows."""
        cdef int number = self.number_for(key), n = self.learned_rows[self.places[number]] & 0xffff, at
        cdef uint32_t* row = &self.learned_rows[self.places[number]]
        if n == DENSE:
            (<float*> (row + 1))[which] += by
            return 0
        at = place_in(row, n, which)
        if at < 0:
            self.places[number] = <uint32_t> self.longer(self.places[number], n)
            return self.move(key, which, by)
        (<uint16_t*> row)[1 + at] = which
        (<float*> (row + 1 + n // 2))[at] += by
        return 0

    cdef int64_t longer(self, int64_t before, int n) except -1:
        """Where a copy of a row of n weights begins that has room for more; of zeros where `before` is -1."""
        cdef int room = max(FEW, 2 * n), i
        cdef int64_t place
        cdef uint32_t* row
        cdef const uint16_t* classes
        cdef const float* weights
        if 4 * room > self.classes:
            room = DENSE
        self.make_room(length_of(room, self.classes))
        place = self.used
        row = &self.learned_rows[place]
        memset(row, 0, length_of(room, self.classes) * sizeof(uint32_t))
        (<uint16_t*> row)[0] = room
        if before >= 0:
            classes = <const uint16_t*> &self.learned_rows[before]
            weights = <const float*> (&self.learned_rows[before] + 1 + n // 2)
            if room == DENSE:
                for i in range(n):
                    (<float*> (row + 1))[classes[1 + i]] += weights[i]
            else:
                memcpy(<uint16_t*> row + 1, classes + 1, n * sizeof(uint16_t))
                memcpy(row + 1 + room // 2, weights, n * sizeof(float))
        self.used += length_of(room, self.classes)
        return place

    cdef int step(
        self, const uint64_t* keys, int count, const int* right, int rights, const int* wrong, int wrongs,
        double margin, double wanted,
    ) except -1:
        """One step that lets classes `right` together win by the margin that is wanted, or by more; 1 if there was one.

        Features that speak of few classes, mostly rare ones, have more variance: what frequent ones have learned from
        the whole treebank is worth more than one sentence. With much variance the step is that of AROW (Crammer,
        Kulesza and Dredze 2009) to a clear margin, which helps elsewhere, too. At least it is the
        passive-aggressive one.
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
        if self.used + wanted > self.learned_rows.shape[0]:
            larger = np.empty(room_for(self.used + wanted), np.uint32)
            larger[: self.used] = self.learned_rows[: self.used]
            self.learned_rows = larger
            self.point()
        return 0

    def copied(self):
        """The same weights, which can change without these."""
        return OwnWeights.of_others(self)

    def with_classes(self, const int[::1] new not None, int classes):
        """The same weights for more classes: class c is now new[c]. The table is shared."""
        cdef dict arrays = self.arrays()
        cdef const uint32_t[::1] rows = arrays["learned_rows"]
        cdef uint32_t[::1] found
        cdef uint64_t at = 0, to = 0
        cdef int n, c
        while at < <uint64_t> rows.shape[0]:
            to += length_of(rows[at] & 0xffff, classes)
            at += length_of(rows[at] & 0xffff, self.classes)
        found = np.zeros(to, np.uint32)
        at = to = 0
        while at < <uint64_t> rows.shape[0]:
            n = rows[at] & 0xffff
            if n == DENSE:
                found[to] = DENSE
                for c in range(self.classes):
                    found[to + 1 + new[c]] = rows[at + 1 + c]
            else:
                memcpy(&found[to], &rows[at], length_of(n, classes) * sizeof(uint32_t))
                for c in range(n):
                    (<uint16_t*> &found[to])[1 + c] = new[(<const uint16_t*> &rows[at])[1 + c]]
            to += length_of(n, classes)
            at += length_of(n, self.classes)
        before = arrays["renumbered"] if self.renumbered is not None else np.arange(self.classes)
        renumbered = np.ascontiguousarray(np.asarray(new)[before], np.int32)
        return OwnWeights({**arrays, "learned_rows": found.base, "renumbered": renumbered}, classes)

    def add(self, uint64_t key, int which, float value):
        """Add to one weight."""
        if not 0 <= which < self.classes:
            raise ValueError(f"there is no class {which}; there are {self.classes}")
        self.move(key, which, value)


cdef Py_ssize_t room_for(Py_ssize_t wanted) except -1:
    """So many 32-bit numbers of rows and some more; refused where slots cannot say where they begin."""
    if wanted >> 32:
        raise OverflowError("the model has more than 16 GiB of weights")
    return min(wanted + wanted // 2 + (1 << 14), <Py_ssize_t> 1 << 32)


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
