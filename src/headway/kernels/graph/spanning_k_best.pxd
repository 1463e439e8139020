"""The k best trees of any kind; scores, heads and workspaces are as in eisner.pxd."""

from headway.kernels.graph.spanning cimport Contraction
from headway.kernels.memory cimport Memory


cdef struct TreeRanking:
    double* scores          # the arcs that the choices at hand leave
    double* promise         # of each candidate: the score of its best tree
    int* tree               # the tree that it comes after
    int* word               # a word that has another head in it
    int* choice             # the last choice that it obeys
    int* before             # of each choice: the one before it
    int* head               # the arc that is chosen
    int* child
    int* taken              # whether the arc is in the tree


cdef int reserve_ranking(TreeRanking* ranking, Memory memory, int longest, int trees) except -1

# Up to k trees in the order of their scores: tree t is heads[t × (n + 1) + 1] to heads[t × (n + 1) + n], its score
# totals[t]. Returns how many there are. What comes after them is left as it is.
cdef int k_best_spanning(
    Contraction* work, TreeRanking* ranking, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil
