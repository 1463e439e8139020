"""Rows of a table: the classes that a feature has ever been updated for, and their numbers."""

from libc.stdint cimport uint16_t

from headway.kernels.weights.table cimport WeightRow, WeightTable


cdef int add_class(WeightTable* table, WeightRow* row, int which) noexcept nogil
cdef void add_up(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil
cdef void score(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil


cdef inline size_t head_of(int room) noexcept nogil:
    """Bytes of the classes of a row that is not dense, a multiple of eight."""
    return (room * sizeof(uint16_t) + 7) & ~(<size_t> 7)


cdef inline uint16_t* classes_of(const WeightRow* row) noexcept nogil:
    """The classes of a row that is not dense."""
    return <uint16_t*> (<char*> row.data - head_of(row.room))


cdef inline int place_of(const WeightTable* table, const WeightRow* row, int which) noexcept nogil:
    """Where a class stands in a row, or -1."""
    cdef int i
    cdef const uint16_t* classes
    if row.room == table.classes:
        return which
    classes = classes_of(row)
    for i in range(row.size):
        if classes[i] == which:
            return i
    return -1
