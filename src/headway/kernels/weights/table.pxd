"""Weights while they are learned: features by key, each with a row of the classes it has ever been updated for.

A row begins small and sparse and becomes dense when it holds half of the classes. Up to three planes of numbers share
its layout: the weight, its variance, and the sum that averaging needs (rules.pxd).
"""

from libc.stdint cimport uint16_t, uint64_t

from headway.kernels.weights.rules cimport Rule, Update, is_settled, move_weight, update_for

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
    char* slab          # memory for rows is cut from slabs; each begins with where the one before it is
    size_t slab_used
    size_t slab_size
    void* spare[SIZES]  # rows that have been outgrown, by size


cdef int number(WeightTable* table, const uint64_t* keys, int count, int* ids) noexcept nogil
cdef int add_class(WeightTable* table, WeightRow* row, int which) noexcept nogil
cdef void add_up(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil
cdef void score(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil


cdef class Weights:
    cdef WeightTable table


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


cdef inline int place_for(WeightTable* table, WeightRow* row, int which) noexcept nogil:
    """The same, and a place is made where there is none; -1 where memory is short."""
    cdef int at = place_of(table, row, which)
    return at if at >= 0 else add_class(table, row, which)


cdef struct ExampleTally:
    long long examples
    long long mistakes
    long long updates


cdef inline bint learn_pair(
    WeightTable* table, const Rule* rule, const int* ids, int count, int right, int wrong, const float* scores,
    double time,
) noexcept nogil:
    """Move the weights so that class `right` beats class `wrong`; whether anything was learned."""
    return learn_classes(table, rule, ids, count, &right, 1, &wrong, 1, scores[right] - scores[wrong], time)


cdef inline bint learn_classes(
    WeightTable* table, const Rule* rule, const int* ids, int count, const int* right, int rights, const int* wrong,
    int wrongs, double m, double time,
) noexcept nogil:
    """Move the weights so that classes `right` together beat classes `wrong`, which they do by m now.

    No class is on both sides. Returns whether anything was learned.
    """
    cdef double v = <double> count * (rights + wrongs)
    cdef int i, j
    cdef WeightRow* row
    cdef Update update
    if is_settled(rule, 1, m, v * table.initial):
        return False
    if table.variance_plane:
        v = 0
        for i in range(count):
            row = table.rows + ids[i]
            for j in range(rights):
                v += variance_at(table, row, right[j])
            for j in range(wrongs):
                v += variance_at(table, row, wrong[j])
    update = update_for(rule, 1, m, v, time)
    if update.step == 0:
        return False
    for i in range(count):
        row = table.rows + ids[i]
        for j in range(rights):
            move_class(table, row, right[j], &update, 1)
        for j in range(wrongs):
            move_class(table, row, wrong[j], &update, -1)
    return True


cdef inline double variance_at(const WeightTable* table, const WeightRow* row, int which) noexcept nogil:
    cdef int at = place_of(table, row, which)
    return row.data[table.variance_plane * row.room + at] if at >= 0 else table.initial


cdef inline void move_class(
    WeightTable* table, WeightRow* row, int which, const Update* update, double delta
) noexcept nogil:
    """Move the weight of a feature for one class, which gets a place in the row where it has none."""
    cdef int at = place_for(table, row, which)
    cdef float* variance = NULL
    cdef float* sum = NULL
    if at < 0:
        return
    if table.variance_plane:
        variance = row.data + table.variance_plane * row.room + at
    if table.sum_plane:
        sum = row.data + table.sum_plane * row.room + at
    move_weight(row.data + at, variance, sum, update, delta, False)
