"""How probable each arc is where a tree's probability grows with the exponential of its score.

Scores and nodes are as in eisner.pxd, but finite. Marginals are written as [head × (n + 1) + child]; column 0 and the
diagonal are 0. Arcs of more than `LOWEST` below the best arc to the same child count as if they were `LOWEST` below it,
so that no sum is lost in rounding.
"""

from headway.kernels.memory cimport Memory

cdef enum:
    LOWEST = 25


cdef struct MarginalMemory:
    double* weights         # (n + 1)²: scores as they count
    double* complete        # the chart of eisner.pxd, with sums in place of maxima; for spanning trees the inverse
    double* incomplete
    double* complete_slope  # derivatives of the logarithm of the sum over all trees
    double* incomplete_slope


cdef int reserve_marginals(MarginalMemory* sums, Memory memory, int longest) except -1

# Over all projective trees, by the inside-outside algorithm over Eisner's spans. O(n³), with exponentials.
cdef void projective_marginals(
    MarginalMemory* memory, const double* scores, double factor, int n, bint single, double* marginals
) noexcept nogil

# Over all trees, by the matrix-tree theorem. O(n³).
cdef void spanning_marginals(
    MarginalMemory* memory, const double* scores, double factor, int n, bint single, double* marginals
) noexcept nogil
