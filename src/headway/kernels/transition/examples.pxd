"""Configurations that the static oracle passes through, with their features, to be learned from again and again."""

from libc.stdint cimport uint8_t


cdef class Examples:
    cdef int* ids
    cdef long long used
    cdef long long room
    cdef long long* start
    cdef uint8_t* legal
    cdef uint8_t* action
    cdef int* label
    cdef long long count
    cdef long long count_room

    cdef int hold(self, long long count, long long features) noexcept nogil
    cdef int make_room(self, int features) noexcept nogil
