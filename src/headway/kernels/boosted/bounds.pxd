"""What a tree can score at the most, given some part of it: halves of heads with states, and what is around them.

Every link counts as if the first children that are shown were the best ones for it; all else is exact. So no tree
scores more than it does here, and a part whose best tree here is worse than some tree is in no best tree. Trees further
than FURTHEST below the best one here are left out.

A boundary b is the gap before node b, n + 1 the one after all. Half [head, b] holds the nodes between b and the head,
and the head: the right half where b > head. [a, b] is a × (n + 2) + b.
"""

from headway.kernels.boosted.links cimport Links

cdef enum:
    FURTHEST = 32

cdef struct Bounds:
    size_t room  # doubles reserved
    double* memory
    double* half  # [head, boundary, 1 + state]: a half; all states from EMPTY on
    double* around  # the same: what is not in it; the head may go on to take children
    double* inner  # the same: what is not in it, where it is all of its head's half towards the parent
    double* done  # [head, boundary]: the best half
    double* final  # the same: what is not in it; the head takes no more children on this side, away from the parent
    double* linked  # [head, child, level]: halves of both up to a link, by level of the head afterwards
    double* beyond  # the same: what is not in them
    double* pairs  # [1 + state of a head, 1 + state of a child]

cdef bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil
cdef void release_bounds(Bounds* bounds) noexcept nogil

# How many doubles a sentence needs.
cdef size_t bounds_size(const Links* links) noexcept nogil

# Fill all tables; returns the bound of all trees. O(n³ × states²) time, O(n² × states) memory.
cdef double find_bounds(Bounds* bounds, const Links* links, bint single) noexcept nogil
