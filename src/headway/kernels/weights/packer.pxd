"""Rows of weights, one after the other, to the layout of packed.pxd."""

from libc.stdint cimport uint16_t, uint64_t


cdef class Packer:
    cdef int classes
    cdef int mark               # bytes of a mark
    cdef int weight             # bytes of a weight
    cdef float scale
    cdef unsigned char* data    # rows in the making
    cdef size_t used
    cdef size_t room
    cdef readonly long long weights

    cdef int write(self, unsigned char* to, float number) noexcept nogil
    cdef int add(self, uint64_t key, uint16_t* which, float* numbers_of, int count) except -1
    cdef size_t size_of(self, uint16_t form) noexcept nogil
    cdef size_t stored(self, size_t at, const unsigned char** row, uint16_t* form) noexcept nogil
    cdef object filled(self, size_t buckets, size_t in_rows)
