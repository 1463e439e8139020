"""How sure a graph parser was: a row of evidence for each word of a tree that was found."""

from headway.kernels.graph.marginals cimport MarginalMemory

cdef enum:          # columns
    MARGINAL = 0    # log odds of the word's arc among all trees, by the scores of arcs beside the tree that was found
    RIVAL = 1       # how far the word's arc is above the best other one that would leave a tree, all else as it is
    LABEL = 2       # how far its label is above the best other one
    COLUMNS = 3

cdef enum:
    MOST_PROJECTIVE = 200   # words; sums over projective trees of longer sentences would take too long


# Fill the first two columns. `scores` and `siblings`, NULL where there are none, are left as they are; `space` has
# room for 2 × (n + 1)² numbers.
cdef void weigh_arcs(
    MarginalMemory* memory, const double* scores, const double* siblings, const int* heads, double factor, int n,
    bint single, bint projective, double* space, float* rows,
) noexcept nogil


cdef inline float margin_of(const float* scores, int count, int chosen) noexcept nogil:
    """How far a score is above the best other one; 0 where there is none."""
    cdef float best = scores[chosen], other = 0
    cdef bint found = False
    cdef int i
    for i in range(count):
        if i != chosen and (not found or scores[i] > other):
            other, found = scores[i], True
    return best - other if found else 0
