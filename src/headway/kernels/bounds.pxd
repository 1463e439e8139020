"""What a tree can score at the most, given some part of it: Eisner's (1996) algorithm with the best state of each link.

No state is looked at but the best that a link can be in, so no tree scores more than it does here: a part whose best
tree here is worse than some tree there cannot be in the best tree there. [a, b] is a × (n + 1) + b.
"""

from headway.kernels.links cimport Links

cdef struct Bounds:
    size_t nodes  # nodes reserved
    size_t room  # doubles reserved for states
    double* highest  # [head, child]: a link in its best state
    double* state  # [head, child, state]: the same by state, EMPTY first, for the best first child
    double* complete  # [head, end]: a half of a head
    double* incomplete  # [head, child]: two halves up to a link
    double* outside  # [head, end]: what is not in a half
    double* around  # [head, child]: what is not in two halves up to a link

cdef bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil
cdef void release_bounds(Bounds* bounds) noexcept nogil

# How many doubles a sentence needs.
cdef size_t bounds_size(const Links* links) noexcept nogil

# Fill all tables; returns the bound of all trees. O(n³ + n² × states) time, O(n² × states) memory.
cdef double find_bounds(Bounds* bounds, const Links* links, bint single) noexcept nogil
