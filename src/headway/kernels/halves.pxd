"""Halves of heads with states: the spans of Eisner's (1996) algorithm, by what the head has already.

A half of a head is a tree over head to end with all of them below head. Its state is that of the head: level × tags +
tag says how many children there are and the tag of the outermost; for a head that shows its first child, first × levels
× tags is added, where `first` is how many words lie between the two. A rank is a state without its tag: right after a
link the tag is the child's. The empty half has no state. Of a child, the half towards its head is the inner one, the
other the outer one. First child is the nearest on the right, or where there is none, the nearest on the left: the right
half tells alone unless it is empty. A workspace is all zeros before its first use.
"""

from libc.math cimport INFINITY

from headway.kernels.links cimport HIDDEN, Links

cdef enum:
    NOBODY = 0

# [a, b] is a × (n + 1) + b.
cdef struct Halves:
    size_t room  # doubles reserved
    size_t nodes  # nodes reserved
    double* memory
    size_t* half_at  # [head, end]: where the halves are, by state of the head
    size_t* linked_at  # [head, child]: where halves up to a link are, by first child of the child and rank of the head
    size_t* shown_at  # [head]: where [first child, end] of a head is that shows its first child
    double* half
    double* linked
    double* shown  # the best half by first child
    double* done  # [head, end]: the best half whatever its state
    double* reached  # states before a link
    int* agenda  # head, end and state of halves whose heads are not written yet

# Ends of inner halves that a link may have, and their scores by end.
cdef struct Inner:
    int start
    int last
    const double* scores

# How many doubles a sentence needs.
cdef size_t halves_size(const Links* links) noexcept nogil

# Room for a sentence, kept for the next; False where memory is short.
cdef bint reserve_halves(Halves* halves, const Links* links) noexcept nogil
cdef void release_halves(Halves* halves) noexcept nogil

# All halves of all nodes; `single` lets the root have one child only. O(n³ × states) time, where states = numbers of
# children × tags of the sentence; O(n² × states) memory. A word that shows its first child costs as much as n others.
cdef void fill_halves(Halves* halves, const Links* links, bint single) noexcept nogil


cdef inline int ranks_of(const Links* links, int head, int end) noexcept nogil:
    """How many ranks a half up to `end` may have."""
    cdef int distance = abs(end - head)
    return distance * links.levels if links.shows[head] else min(distance, links.levels)


cdef inline int step_of(int head, int end) noexcept nogil:
    return 1 if head < end else -1


cdef inline int first_rank(const Links* links, int head, int child) noexcept nogil:
    """The rank of a head that has one child."""
    return (abs(child - head) - 1) * links.levels if links.shows[head] else 0


cdef inline int next_rank(const Links* links, int rank) noexcept nogil:
    """The rank of a head that has one child more."""
    return rank if rank % links.levels == links.levels - 1 else rank + 1


cdef inline Inner inner_halves(const Halves* halves, const Links* links, int head, int child, int first) noexcept nogil:
    """The inner halves of a child that go with a first child, or with HIDDEN."""
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, child)
    cdef Inner inner
    inner.start, inner.last, inner.scores = head + step, child, halves.done + child * width
    if first == HIDDEN:
        return inner
    if first != NOBODY and (first - child) * step < 0:
        inner.last, inner.scores = first, halves.shown + halves.shown_at[child] + first * width
    elif first == NOBODY or step < 0:
        inner.start = child
    return inner


cdef inline double outer_half(
    const Halves* halves, const Links* links, int head, int child, int end, int first
) noexcept nogil:
    """The best outer half of a child up to `end` that goes with a first child between head and end, or with HIDDEN."""
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, child)
    if first == HIDDEN:
        return halves.done[child * width + end]
    if first != NOBODY and (first - child) * step > 0:
        return halves.shown[halves.shown_at[child] + first * width + end]
    if child == end or (first != NOBODY and step < 0):
        return halves.done[child * width + end]
    return -INFINITY
