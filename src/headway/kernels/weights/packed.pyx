"""See packed.pxd."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.lookup cimport number_of, release_slots, reserve_slots


cdef class PackedWeights:
    """Weights in the layout of packed.pxd, and what corrections have taught; ValueError where arrays do not fit.

    Rows that corrections have taught must follow one another to the end; of the table nothing but its size is checked,
    since kernels are safe whatever its bytes say.
    """

    def __init__(self, arrays, int classes):
        """`arrays` are those that `arrays` gives, by name; those of corrections may be left out."""
        cdef const unsigned char[::1] lines = arrays["lines"], long_rows = arrays["long_rows"]
        cdef const int[::1] renumbered = arrays.get("renumbered", np.empty(0, np.int32))
        if not lines.shape[0] or lines.shape[0] % LINE:
            raise ValueError(f"a table of {lines.shape[0]} bytes does not consist of lines of {LINE}")
        if arrays["scale"].shape != (1,) or not np.isfinite(arrays["scale"]).all():
            raise ValueError("the scale of the weights is not a number")
        if renumbered.shape[0] and not 0 <= np.min(renumbered) <= np.max(renumbered) < classes:
            raise ValueError(f"the weights have new classes that are not among {classes}")
        self.classes, self.scale = classes, arrays["scale"][0]
        self.lines, self.long_rows = arrays["lines"], arrays["long_rows"]
        self.renumbered = arrays["renumbered"] if renumbered.shape[0] else None
        self.keys = np.array(arrays.get("learned_keys", ()), np.uint64)
        self.learned_rows = np.array(arrays.get("learned_rows", ()), np.uint32)
        self.own.classes, self.own.scale = classes, self.scale
        self.own.dense = <int> renumbered.shape[0] if renumbered.shape[0] else classes
        self.own.renumbered = &renumbered[0] if renumbered.shape[0] else NULL
        self.own.mark, self.own.weight = (2, 1) if self.scale else (4, 4)
        self.own.buckets, self.own.lines = lines.shape[0] // LINE, &lines[0]
        self.own.extent = long_rows.shape[0]
        self.own.long_rows = &long_rows[0] if long_rows.shape[0] else NULL
        self.number_learned()

    cdef int number_learned(self) except -1:
        """Number the features that corrections touched, and see where their rows begin."""
        cdef Py_ssize_t i, extent = self.learned_rows.shape[0]
        cdef uint64_t at = 0
        cdef const uint16_t* which
        cdef int n, j
        self.places = np.empty(self.keys.shape[0], np.uint32)
        release_slots(&self.learned)
        if not reserve_slots(&self.learned, self.keys.shape[0]):
            raise MemoryError
        for i in range(self.keys.shape[0]):
            if number_of(&self.learned, self.keys[i]) != i:
                raise ValueError("a feature that was corrected stands twice")
            if at >= <uint64_t> extent:
                raise ValueError("a feature that was corrected has no row")
            self.places[i], which = <uint32_t> at, <const uint16_t*> &self.learned_rows[at]
            n = which[0]
            at += length_of(n, self.classes)
            if at > <uint64_t> extent:
                raise ValueError("the last row of corrections is cut off")
            for j in range(0 if n == DENSE else n):
                if which[1 + j] >= self.classes:
                    raise ValueError("a row of corrections has a class that is not there")
        if at != <uint64_t> extent:
            raise ValueError("rows of corrections belong to no feature")
        self.point()
        return 0

    cdef void point(self) noexcept:
        """Let the kernels see what corrections have taught."""
        self.own.learned = &self.learned if self.learned.used else NULL
        self.own.places = &self.places[0] if self.places.shape[0] else NULL
        self.own.learned_rows = &self.learned_rows[0] if self.learned_rows.shape[0] else NULL

    def __dealloc__(self):
        release_slots(&self.learned)

    def arrays(self):
        """All arrays by name, as files have them. Rows of corrections that were outgrown are left out."""
        cdef Py_ssize_t i, used = self.learned.used
        cdef uint64_t at = 0, length
        for i in range(used):
            at += length_of(self.learned_rows[self.places[i]] & 0xffff, self.classes)
        cdef uint32_t[::1] rows = np.empty(at, np.uint32)
        at = 0
        for i in range(used):
            length = length_of(self.learned_rows[self.places[i]] & 0xffff, self.classes)
            memcpy(&rows[at], &self.learned_rows[self.places[i]], length * sizeof(uint32_t))
            at += length
        return {
            "lines": self.lines, "long_rows": self.long_rows, "scale": np.array([self.scale], np.float32),
            "renumbered": np.empty(0, np.int32) if self.renumbered is None else self.renumbered,
            "learned_keys": np.array(self.keys[:used]), "learned_rows": rows.base,
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
