"""Weights of a model that learns on: private copies, in the layout of frozen.pxd, so that parsing reads them as others.

A row that has no room for another class is copied behind all others, with twice the room; what is free in it has
weights of 0. The old one stays until classes are renumbered.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from headway.kernels.weights.frozen cimport Model


cdef class OwnWeights:
    cdef readonly int classes
    cdef object slot_array
    cdef object row_array
    cdef uint64_t[::1] slots
    cdef uint32_t[::1] rows
    cdef Py_ssize_t used        # 32-bit numbers of rows that are taken
    cdef uint64_t features      # pairs of the second table that are taken

    cdef Model model(self) noexcept
    cdef int size_of(self, uint64_t key) noexcept
    cdef int move(self, uint64_t key, int which, float by) except -1
    cdef int64_t longer(self, uint32_t before, int n) except -1
    cdef int step(
        self, const uint64_t* keys, int count, const int* right, int rights, const int* wrong, int wrongs,
        double margin, double wanted,
    ) except -1
    cdef int make_room(self, Py_ssize_t wanted) except -1
    cdef OwnWeights begun_copy(self, Py_ssize_t wanted)
    cdef uint64_t* new_slot(self, uint64_t key) except NULL
