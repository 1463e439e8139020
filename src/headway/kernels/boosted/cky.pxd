"""The best projective tree under scores of links in states, by spans with their heads (Cocke, Kasami and Younger).

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. Heads are heads[1] to heads[n]. A workspace is all zeros before its first use and serves one thread at a time.
"""

from headway.kernels.boosted.items cimport Spans
from headway.kernels.boosted.links cimport Links

# O(n⁵ × states) in form; items that the bound excludes are never made. NaN where more than `most` items are left,
# first children make all trees much worse than the bound, or memory is short.
cdef double best_spans(Spans* spans, const Links* links, bint single, int most, int* heads) noexcept nogil
