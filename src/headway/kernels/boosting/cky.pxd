"""The best projective tree under scores of links in states, by spans with their heads (Cocke, Kasami and Younger).

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. Heads are heads[1] to heads[n]. A workspace is all zeros before its first use and serves one thread at a time.
"""

from headway.kernels.boosting.bounds cimport Bounds
from headway.kernels.boosting.links cimport Links

# A span with a head whose children so far lie in it. It takes children on the right first, then on the left.
cdef struct Item:
    double score
    int head
    int first  # the head's first child, 0 for none or where the head does not show it
    int state  # of the head, on the side where it takes children now; of a closed item on the side of its parent
    int right  # of a KEEPING item: the head's state on the right; else EMPTY
    int taker  # item that took the last child, or what this one was before it changed sides or was closed; or -1
    int child  # item of that child, or -1

cdef enum:
    RIGHTWARD = 0  # takes children on the right
    KEEPING = 1  # takes children on the left; its parent is on the right and will see its state there
    LEFTWARD = 2  # takes children on the left; its parent is on the left
    LEFT_CLOSED = 3  # the left word of its link
    RIGHT_CLOSED = 4  # the right word of its link
    KINDS = 5

# Items of one span, kind by kind.
cdef struct Span:
    int[KINDS + 1] start  # those of kind k are start[k] : start[k + 1]

cdef struct Spans:
    size_t nodes  # nodes reserved
    size_t keys  # keys reserved
    int used
    int room  # items reserved
    int most  # items that may be
    Item* items
    Span* span  # [first, last] of its words is first × (n + 1) + last
    int* key_at  # [head]: its first key
    int* found  # [key]: the item of the present span, or -1
    int* agenda
    Bounds bounds

# Doubles that a sentence needs at the least.
cdef size_t spans_size(const Links* links) noexcept nogil
cdef void release_spans(Spans* spans) noexcept nogil

# O(n⁵ × states) in form; items that the bound excludes are never made. NaN where more than `most` items are left,
# first children make all trees much worse than the bound, or memory is short.
cdef double best_spans(Spans* spans, const Links* links, bint single, int most, int* heads) noexcept nogil
