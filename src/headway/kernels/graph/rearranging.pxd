"""Trees of any kind under scores of adjacent siblings, from a good tree; scores and heads are as in eisner.pxd."""

from headway.kernels.graph.spanning cimport Contraction

# Better the tree in `heads` by one head at a time under arc and sibling scores; returns its score. With `single`, the
# word on the root stays the only one.
cdef double rearrange_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil
