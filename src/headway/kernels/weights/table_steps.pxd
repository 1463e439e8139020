"""Updates of steps.pxd over a table: some classes are to beat others for all features of an example."""

from headway.kernels.weights.rows cimport add_class, place_of
from headway.kernels.weights.rules cimport Rule, is_settled
from headway.kernels.weights.steps cimport Update, move_weight, update_for
from headway.kernels.weights.table cimport WeightRow, WeightTable


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
    if is_settled(rule, m, v * table.initial):
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
    cdef int at = place_of(table, row, which) if row.room else -1
    return row.data[table.variance_plane * row.room + at] if at >= 0 else table.initial


cdef inline void move_class(
    WeightTable* table, WeightRow* row, int which, const Update* update, double delta
) noexcept nogil:
    """Move the weight of a feature for one class, which gets a place in the row where it has none."""
    cdef int at = place_of(table, row, which) if row.room else -1
    cdef float* variance = NULL
    cdef float* sum = NULL
    if at < 0:
        at = add_class(table, row, which)
        if at < 0:
            return
    if table.variance_plane:
        variance = row.data + table.variance_plane * row.room + at
    if table.sum_plane:
        sum = row.data + table.sum_plane * row.room + at
    move_weight(row.data + at, variance, sum, update, delta, False)
