"""How sure a graph parser was: a row of evidence for each word of a tree that was found."""

from libc.math cimport INFINITY, log
from libc.string cimport memcpy

from headway.kernels.graph.labels cimport best_but
from headway.kernels.graph.marginals cimport MarginalMemory, projective_marginals, spanning_marginals
from headway.kernels.graph.rearranging cimport attach_everywhere

cdef enum:          # columns
    MARGINAL = 0    # log odds of the word's arc among all trees, by the scores of arcs beside the tree that was found
    RIVAL = 1       # how far the word's arc is above the best other one that would leave a tree, all else as it is
    LABEL = 2       # how far its label is above the best other one
    COLUMNS = 3

cdef enum:
    MOST_PROJECTIVE = 200   # words; sums over projective trees of longer sentences would take too long


cdef inline float margin_of(const float* scores, int count, int chosen) noexcept nogil:
    """How far a score is above the best other one; 0 where there is none."""
    cdef int other = best_but(scores, count, chosen)
    return scores[chosen] - scores[other] if other >= 0 else 0


cdef inline bint is_below(const int* heads, int word, int above) noexcept nogil:
    """Whether a word is another one or hangs below it."""
    while word > 0:
        if word == above:
            return True
        word = heads[word]
    return False


cdef inline void weigh_arcs(
    MarginalMemory* memory, const double* scores, const double* siblings, const int* heads, double factor, int n,
    bint single, bint projective, float* rows,
) noexcept nogil:
    """Fill the first two columns. `scores` and `siblings`, NULL where there are none, are left as they are."""
    cdef Py_ssize_t width = n + 1
    cdef double* local = memory.scores
    cdef const double* found = memory.marginals
    cdef double chance, best
    cdef int head, child
    memcpy(local, scores, width * width * sizeof(double))
    if siblings != NULL:
        attach_everywhere(scores, siblings, heads, n, memory.rows, local)
    if projective and n <= MOST_PROJECTIVE:
        projective_marginals(memory, local, factor, n, single)
    else:
        spanning_marginals(memory, local, factor, n, single)
    for child in range(1, n + 1):
        chance = min(1 - 1e-12, max(1e-12, found[heads[child] * width + child]))
        rows[(child - 1) * COLUMNS + MARGINAL] = <float> log(chance / (1 - chance))
        best = -INFINITY
        for head in range(n + 1):
            if head != heads[child] and local[head * width + child] > best and not is_below(heads, head, child):
                best = local[head * width + child]
        rows[(child - 1) * COLUMNS + RIVAL] = <float> (factor * (local[heads[child] * width + child] - best))
