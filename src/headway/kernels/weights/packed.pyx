"""See packed.pxd."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

import numpy as np

from headway.kernels.features.lookup cimport find, number_of, release_slots, reserve_slots

FEWEST = 64
"""Features that corrections may touch until memory grows."""


cdef class PackedWeights:
    """Weights in the layout of packed.pxd, and what corrections have taught; ValueError where arrays do not fit.

    Nothing but the array sizes is checked, in constant time: kernels are safe whatever the bytes of the table say.
    """

    def __init__(self, arrays, int classes):
        """`arrays` are those that `arrays` gives, by name; those of corrections may be left out."""
        cdef const unsigned char[::1] lines = arrays["lines"], long_rows = arrays["long_rows"]
        cdef const int[::1] renumbered = arrays.get("renumbered", np.empty(0, np.int32))
        keys = np.array(arrays.get("learned_keys", ()), np.uint64)
        rows = arrays.get("learned_rows", np.empty((0, classes), np.float32))
        sizes = np.array(arrays.get("learned_sizes", ()), np.int32)
        if not lines.shape[0] or lines.shape[0] % LINE:
            raise ValueError(f"a table of {lines.shape[0]} bytes does not consist of lines of {LINE}")
        if arrays["scale"].shape != (1,) or not np.isfinite(arrays["scale"]).all():
            raise ValueError("the scale of the weights is not a number")
        if renumbered.shape[0] and not 0 <= np.min(renumbered) <= np.max(renumbered) < classes:
            raise ValueError(f"the weights have new classes that are not among {classes}")
        if rows.shape != (len(keys), classes) or sizes.shape != keys.shape:
            raise ValueError("the weights of corrections do not fit each other")
        self.classes, self.scale = classes, arrays["scale"][0]
        self.lines, self.long_rows = arrays["lines"], arrays["long_rows"]
        self.renumbered = arrays["renumbered"] if renumbered.shape[0] else None
        self.learned_keys, self.learned_sizes = keys, sizes
        self.learned_rows = np.array(rows, np.float32)
        self.own.classes, self.own.scale = classes, self.scale
        self.own.dense = <int> renumbered.shape[0] if renumbered.shape[0] else classes
        self.own.renumbered = &renumbered[0] if renumbered.shape[0] else NULL
        self.own.mark, self.own.weight = (2, 1) if self.scale else (4, 4)
        self.own.buckets, self.own.lines = lines.shape[0] // LINE, &lines[0]
        self.own.extent = long_rows.shape[0]
        self.own.long_rows = &long_rows[0] if long_rows.shape[0] else NULL
        self.number(keys)

    cdef int number(self, const uint64_t[::1] keys) except -1:
        """Number the features that corrections touched."""
        cdef Py_ssize_t i
        release_slots(&self.learned)
        if not reserve_slots(&self.learned, max(<Py_ssize_t> FEWEST, keys.shape[0])):
            raise MemoryError
        for i in range(keys.shape[0]):
            if number_of(&self.learned, keys[i]) != i:
                raise ValueError("a feature that was corrected stands twice")
        self.point()
        return 0

    cdef void point(self) noexcept:
        """Let the kernels see what corrections have taught."""
        cdef float[:, ::1] rows = self.learned_rows
        self.own.learned = &self.learned if self.learned.used else NULL
        self.own.learned_rows = &rows[0, 0] if rows.shape[0] else NULL

    def __dealloc__(self):
        release_slots(&self.learned)

    def arrays(self):
        """All arrays by name, as files have them."""
        used = self.learned.used
        return {
            "lines": self.lines, "long_rows": self.long_rows, "scale": np.array([self.scale], np.float32),
            "renumbered": np.empty(0, np.int32) if self.renumbered is None else self.renumbered,
            "learned_keys": self.learned_keys[:used], "learned_rows": self.learned_rows[:used],
            "learned_sizes": self.learned_sizes[:used],
        }

    def __reduce__(self):
        return type(self), (self.arrays(), self.classes)

    cdef const Model* model(self) noexcept:
        return &self.own

    def of(self, const uint64_t[::1] keys, const int[::1] which):
        """The weights [key, class] that single features, by key, have for some classes."""
        cdef Py_ssize_t i, j
        cdef float[:, ::1] found = np.empty((keys.shape[0], which.shape[0]), np.float32)
        cdef float[::1] scores = np.empty(self.classes, np.float32)
        cdef Row row
        for i in range(keys.shape[0]):
            memset(&scores[0], 0, self.classes * sizeof(float))
            evaluate(&self.own, &keys[i], 1, &row, &scores[0])
            for j in range(which.shape[0]):
                found[i, j] = scores[which[j]]
        return found.base

    cdef int size_of(self, uint64_t key) noexcept:
        """How many weights a feature had before anything was learned from corrections, 0 for an unknown one."""
        cdef int number = find(&self.learned, key)
        cdef Row row
        cdef const int[::1] sizes
        if number >= 0:
            sizes = self.learned_sizes
            return sizes[number]
        row.count = 0
        if find_in_buckets(&self.own, key, &row) and row.count == IN_LONG_ROWS:
            open_long(&self.own, &row)
        return self.own.dense if row.count == DENSE else row.count

    cdef float* row_of(self, uint64_t key) except NULL:
        """The row of a feature, a float for every class, unpacked where it has not been. May move all such rows."""
        cdef int number = find(&self.learned, key), size
        cdef Row row
        cdef float[:, ::1] rows
        cdef bint known
        if number >= 0:
            rows = self.learned_rows
            return &rows[number, 0]
        size, known = self.size_of(key), find_in_buckets(&self.own, key, &row)
        number = number_of(&self.learned, key)
        if number < 0:
            raise MemoryError
        if number >= len(self.learned_keys):
            room = max(FEWEST, 2 * number)
            self.learned_keys = np.resize(self.learned_keys, room)
            self.learned_sizes = np.resize(self.learned_sizes, room)
            larger = np.empty((room, self.classes), np.float32)
            larger[:number] = self.learned_rows
            self.learned_rows = larger
        self.learned_keys[number], self.learned_sizes[number], self.learned_rows[number] = key, size, 0
        rows = self.learned_rows
        if known:  # the table has it
            add_rows(&self.own, &row, 1, &rows[number, 0], NULL, 0)
        self.point()
        return &rows[number, 0]

    def add(self, uint64_t key, int which, float value):
        """Add to one weight."""
        if not 0 <= which < self.classes:
            raise ValueError(f"there is no class {which}; there are {self.classes}")
        self.row_of(key)[which] += value

    def copied(self):
        """The same weights, which can change without these; the table is shared."""
        return type(self)(self.arrays(), self.classes)

    def with_classes(self, const int[::1] new not None, int classes):
        """The same weights for more classes: class c is now new[c]. The table is shared."""
        cdef dict arrays = self.arrays()
        rows = np.zeros((len(arrays["learned_keys"]), classes), np.float32)
        rows[:, np.asarray(new)] = arrays["learned_rows"]
        before = arrays["renumbered"] if self.renumbered is not None else np.arange(self.classes)
        renumbered = np.ascontiguousarray(np.asarray(new)[before], np.int32)
        return type(self)({**arrays, "learned_rows": rows, "renumbered": renumbered}, classes)
