"""Weights of a model that learns on: its packed table, shared with others, below rows of its own for features that
corrections touched.

A row is unpacked when it is first touched. One that has no room for another class is copied behind all others, with
twice the room; what is free in it has weights of 0. The old one stays until the weights are copied.
"""

from libc.stdint cimport int64_t, uint64_t

from headway.kernels.weights.packed cimport PackedWeights


cdef class OwnWeights(PackedWeights):
    cdef Py_ssize_t used        # 32-bit numbers of rows that are taken
    cdef float[::1] unpacked    # a row while it is unpacked

    cdef int size_of(self, uint64_t key) noexcept
    cdef int number_for(self, uint64_t key) except -1
    cdef int move(self, uint64_t key, int which, float by) except -1
    cdef int64_t longer(self, int64_t before, int n) except -1
    cdef int step(
        self, const uint64_t* keys, int count, const int* right, int rights, const int* wrong, int wrongs,
        double margin, double wanted,
    ) except -1
    cdef int make_room(self, Py_ssize_t wanted) except -1
