"""The best projective tree under scores of links in states, by halves of heads (halves.pxd).

Returns the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as they are.
Heads are heads[1] to heads[n]. The workspace is reserved for the sentence and serves one thread at a time. Cost as that
of `fill_halves`.
"""

from headway.kernels.boosted.halves cimport Halves
from headway.kernels.boosted.links cimport Links

cdef double best_split_head(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil
