"""The k best projective trees; scores, heads and workspaces are as in eisner.pxd."""

from headway.kernels.graph.eisner cimport Chart
from headway.kernels.memory cimport Memory


cdef struct Derivation:
    double score
    int span
    int split
    int left                # derivations of the two parts, UNKNOWN where they are the best ones
    int right
    int next                # the next best of the same span, NONE, or UNKNOWN
    int child               # links of the heap that it waits in
    int sibling


cdef struct Forest:
    int* first              # the best derivation of each span, or UNKNOWN
    int* waiting            # the heap of derivations of each span that are not ranked yet, or NONE
    int* agenda
    Derivation* pool
    int used
    int size


cdef int reserve_forest(Forest* forest, Memory memory, int longest) except -1
cdef void release_pool(Forest* forest) noexcept nogil     # of derivations, which grows

# Up to k trees in the order of their scores: tree t is heads[t × (n + 1) + 1] to heads[t × (n + 1) + n], its score
# totals[t]. Returns how many there are, or -1 where memory is short. What comes after them is left as it is.
cdef int k_best_projective(
    Chart* chart, Forest* forest, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil
