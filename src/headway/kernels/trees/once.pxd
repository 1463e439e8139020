"""Labels that stand at most once under a head: where a tree has one twice, the dearest keeps it, others change."""

from headway.kernels.memory cimport Memory


cdef struct Once:
    int labels
    const unsigned char* once   # of each label whether it stands at most once; NULL where no label does
    float* scores               # [word, label] of one sentence, given the arcs; -inf for what a word cannot have
    int* start                  # the children of head h are child[start[h]] : start[h + 1]
    int* child
    int* count                  # of each label under one head


cdef class OnceTable:
    cdef const unsigned char* once
    cdef int labels
    cdef bint any
    cdef object keep


cdef int reserve_once(Once* once, OnceTable table, Memory memory, int longest) except -1
cdef void settle_once(Once* once, const int* heads, int* labels, int n) noexcept nogil
