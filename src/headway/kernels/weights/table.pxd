"""Weights while they are learned: features by key, each with a row of the classes it has ever been updated for.

A row begins small and sparse and becomes dense when it holds half of the classes. Up to three planes of numbers share
its layout: the weight, its variance, and the sum that averaging needs (steps.pxd).
"""

from libc.stdint cimport uint16_t, uint64_t

cdef enum:
    SIZES = 20


cdef struct WeightRow:
    float* data         # planes × room numbers; the classes stand before them, where the row is not dense
    uint16_t size
    uint16_t room       # 0 where there is no data yet; the number of classes where the row is dense


cdef struct WeightTable:
    int classes
    bint closed         # whether features not seen before are left out
    int planes
    int variance_plane  # 0 where there is none
    int sum_plane       # 0 where there is none
    float initial       # variance before the first update
    int count           # features
    int row_room
    uint64_t size       # slots of the hash table, a power of two
    uint64_t* slot      # upper half of the key, and the number of the feature + 1; 0 where the slot is free
    uint64_t* key       # of each feature
    WeightRow* rows
    char* slab          # memory for rows is cut from slabs
    size_t slab_used
    size_t slab_size
    void** slab_list
    int slab_count
    void* spare[SIZES]  # rows that have been outgrown, by size


cdef int intern(WeightTable* table, uint64_t key) noexcept nogil
cdef int number(WeightTable* table, const uint64_t* keys, int count, int* ids) noexcept nogil


cdef class Weights:
    cdef WeightTable table
