"""How probable each arc is where a tree's probability grows with the exponential of its score.

Scores and nodes are as in eisner.pxd, but finite. Marginals are written as [head × (n + 1) + child]; column 0 and the
diagonal are 0. Arcs of more than `LOWEST` below the best arc to the same child count as if they were `LOWEST` below it,
so that no sum is lost in rounding. Paskin (2001); Koo, Globerson, Carreras and Collins (2007); Smith and Smith (2007).
"""

from libc.math cimport INFINITY, exp, fabs, log
from libc.string cimport memset

from headway.kernels.memory cimport Memory

cdef enum:
    LOWEST = 25


cdef struct MarginalMemory:
    double* weights         # (n + 1)²: scores as they count
    double* complete        # the chart of eisner.pxd, with sums in place of maxima; for spanning trees the inverse
    double* incomplete
    double* complete_slope  # derivatives of the logarithm of the sum over all trees
    double* incomplete_slope
    double* marginals
    double* scores          # room for those who change scores before they are summed
    int* rows               # three, for them


cdef inline int reserve_marginals(MarginalMemory* sums, Memory memory, int longest) except -1:
    cdef size_t cells = <size_t> (longest + 1) * (longest + 1)
    sums.weights = <double*> memory.take(7 * cells, sizeof(double))
    sums.complete, sums.incomplete = sums.weights + cells, sums.weights + 2 * cells
    sums.complete_slope, sums.incomplete_slope = sums.weights + 3 * cells, sums.weights + 4 * cells
    sums.marginals, sums.scores = sums.weights + 5 * cells, sums.weights + 6 * cells
    sums.rows = <int*> memory.take(3 * <size_t> (longest + 1), sizeof(int))
    return 0


cdef inline void weigh(MarginalMemory* memory, const double* scores, double factor, int n) noexcept nogil:
    """Scores times the factor, from -LOWEST to 0, the best arc to each child at 0: that changes no marginal."""
    cdef Py_ssize_t width = n + 1, h, c
    cdef double best
    for c in range(1, width):
        best = -INFINITY
        for h in range(width):
            if h != c:
                best = max(best, scores[h * width + c])
        for h in range(width):
            memory.weights[h * width + c] = max(-<double> LOWEST, factor * (scores[h * width + c] - best))


cdef inline double sum_of(
    const double* a, Py_ssize_t a_step, const double* b, Py_ssize_t b_step, int count
) noexcept nogil:
    """The logarithm of the sum of exp(a[i] + b[i])."""
    cdef double most = -INFINITY, total = 0
    cdef int i
    for i in range(count):
        most = max(most, a[i * a_step] + b[i * b_step])
    if most == -INFINITY:
        return most
    for i in range(count):
        total += exp(a[i * a_step] + b[i * b_step] - most)
    return most + log(total)


cdef inline void share_out(
    double slope, double total, const double* a, double* a_slope, Py_ssize_t a_step, const double* b, double* b_slope,
    Py_ssize_t b_step, int count,
) noexcept nogil:
    """Pass the derivative by `total`, the sum of exp(a[i] + b[i]) as a logarithm, on to a and b."""
    cdef double part
    cdef int i
    if slope == 0 or total == -INFINITY:
        return
    for i in range(count):
        part = slope * exp(a[i * a_step] + b[i * b_step] - total)
        a_slope[i * a_step] += part
        b_slope[i * b_step] += part


cdef inline void projective_marginals(
    MarginalMemory* memory, const double* scores, double factor, int n, bint single
) noexcept nogil:
    """Over all projective trees, by the inside-outside algorithm over Eisner's spans. O(n³), with exponentials."""
    cdef Py_ssize_t width = n + 1
    cdef double* complete = memory.complete
    cdef double* incomplete = memory.incomplete
    cdef double* slopes = memory.complete_slope
    cdef double* open_slopes = memory.incomplete_slope
    cdef double* marginals = memory.marginals
    cdef double between, total, part
    cdef int left, right, first = 1 if single else 0
    weigh(memory, scores, factor, n)
    for right in range(n + 1):
        complete[right * width + right] = 0
        for left in range(right - 1, first - 1, -1):
            between = sum_of(complete + left * width + left, 1, complete + right * width + left + 1, 1, right - left)
            incomplete[left * width + right] = between + memory.weights[left * width + right]
            complete[left * width + right] = sum_of(
                incomplete + left * width + left + 1, 1, complete + (left + 1) * width + right, width, right - left
            )
            if left:
                incomplete[right * width + left] = between + memory.weights[right * width + left]
                complete[right * width + left] = sum_of(
                    incomplete + right * width + left, 1, complete + left * width + left, width, right - left
                )
    memset(slopes, 0, width * width * sizeof(double))
    memset(open_slopes, 0, width * width * sizeof(double))
    memset(marginals, 0, width * width * sizeof(double))
    if single:
        total = -INFINITY
        for right in range(1, n + 1):
            part = memory.weights[right] + complete[right * width + 1] + complete[right * width + n]
            total = max(total, part) + log(1 + exp(-fabs(total - part))) if total > -INFINITY else part
        for right in range(1, n + 1):
            part = exp(memory.weights[right] + complete[right * width + 1] + complete[right * width + n] - total)
            marginals[right] = part
            slopes[right * width + 1] += part
            slopes[right * width + n] += part
    else:
        slopes[n] = 1
    for right in range(n, -1, -1):
        for left in range(first, right):
            if left:
                share_out(
                    slopes[right * width + left], complete[right * width + left],
                    incomplete + right * width + left, open_slopes + right * width + left, 1,
                    complete + left * width + left, slopes + left * width + left, width, right - left,
                )
            share_out(
                slopes[left * width + right], complete[left * width + right],
                incomplete + left * width + left + 1, open_slopes + left * width + left + 1, 1,
                complete + (left + 1) * width + right, slopes + (left + 1) * width + right, width, right - left,
            )
            between = incomplete[left * width + right] - memory.weights[left * width + right]
            part = open_slopes[left * width + right]
            marginals[left * width + right] = part
            if left:
                marginals[right * width + left] = open_slopes[right * width + left]
                part += open_slopes[right * width + left]
            share_out(
                part, between, complete + left * width + left, slopes + left * width + left, 1,
                complete + right * width + left + 1, slopes + right * width + left + 1, 1, right - left,
            )


cdef inline void spanning_marginals(
    MarginalMemory* memory, const double* scores, double factor, int n, bint single
) noexcept nogil:
    """Over all trees, by the matrix-tree theorem. O(n³)."""
    cdef Py_ssize_t width = n + 1, h, c
    cdef double* weights = memory.weights
    cdef double* matrix = memory.complete
    cdef double* inverse = memory.incomplete
    cdef double* marginals = memory.marginals
    cdef double own
    weigh(memory, scores, factor, n)
    for c in range(1, width):
        for h in range(width):
            weights[h * width + c] = exp(weights[h * width + c]) if h != c else 0
        own = 0 if single else weights[c]
        for h in range(1, width):
            own += weights[h * width + c]
            matrix[(h - 1) * n + c - 1] = -weights[h * width + c]
        matrix[(c - 1) * n + c - 1] = own
    if single:
        for c in range(1, width):
            matrix[c - 1] = weights[c]
    invert(matrix, inverse, n)
    memset(marginals, 0, width * width * sizeof(double))
    for c in range(1, width):
        marginals[c] = weights[c] * inverse[(c - 1) * n + (0 if single else c - 1)]
        for h in range(1, width):
            if h != c:
                own = 0 if single and c == 1 else inverse[(c - 1) * n + c - 1]
                if not (single and h == 1):
                    own -= inverse[(c - 1) * n + h - 1]
                marginals[h * width + c] = weights[h * width + c] * own


cdef inline void invert(double* matrix, double* inverse, Py_ssize_t n) noexcept nogil:
    """The inverse, by elimination with the largest pivot of each column; the matrix is used up."""
    cdef Py_ssize_t i, j, k, pivot
    cdef double by
    memset(inverse, 0, n * n * sizeof(double))
    for i in range(n):
        inverse[i * n + i] = 1
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if fabs(matrix[i * n + k]) > fabs(matrix[pivot * n + k]):
                pivot = i
        if pivot != k:
            for j in range(n):
                matrix[k * n + j], matrix[pivot * n + j] = matrix[pivot * n + j], matrix[k * n + j]
                inverse[k * n + j], inverse[pivot * n + j] = inverse[pivot * n + j], inverse[k * n + j]
        by = 1 / matrix[k * n + k]
        for j in range(n):
            matrix[k * n + j] *= by
            inverse[k * n + j] *= by
        for i in range(n):
            by = matrix[i * n + k]
            if i != k and by != 0:
                for j in range(k, n):
                    matrix[i * n + j] -= by * matrix[k * n + j]
                for j in range(n):
                    inverse[i * n + j] -= by * inverse[k * n + j]
