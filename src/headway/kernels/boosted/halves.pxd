"""Halves of heads with states: the spans of Eisner's (1996) algorithm, by what the head has already.

A half of a head is a tree over head to end with all of them below head. Its state is that of the head: level × tags +
tag says how many children there are and the tag of the outermost. Of a head that shows its first child a half has a
block of such states for each first child: in a right half that is the nearest child; in a left half one on the right,
which the right half must then have, or where that is empty the nearest on the left. A rank is a state without its tag:
right after a link the tag is the child's. The empty half has no state. Of a child, the half towards its head is the
inner one, the other the outer one. A workspace is all zeros before its first use.
"""

from libc.math cimport INFINITY

from headway.kernels.boosted.links cimport HIDDEN, Links
from headway.kernels.memory cimport Kept

cdef enum:
    NOBODY = 0

# [a, b] is a × (n + 1) + b.
cdef struct Halves:
    Kept memory
    size_t width
    double least  # halves that score less are left out
    size_t* half_at  # [head, end]: where the halves are, by state of the head
    size_t* linked_at  # [head, child]: where halves up to a link are, by first child of the child and rank of the head
    size_t* shown_at  # [head]: where [first child, end] of a head is that shows its first child
    double* half
    double* linked
    double* shown  # the best half by first child; NOBODY: the best left half beside an empty right one
    double* done  # [head, end]: the best half whatever its state
    double* reached  # states of child and head before a link
    int* agenda  # head, end and state of halves whose heads are not written yet

# The halves of a word that a link may meet: states from `begin` on, `size` of them or all, or none where it is < 0.
cdef struct HalfChoice:
    int first  # of the word where it has no child on this side; HIDDEN where it does not show it
    int begin
    int size

# The same of a child: the ends of its inner halves; at the child itself, where `last` is the child, the half is empty.
cdef struct Inner:
    HalfChoice choice
    int last

# How many doubles a sentence needs.
cdef size_t halves_size(const Links* links) noexcept nogil

# Room for a sentence, kept for the next; False where memory is short.
cdef bint reserve_halves(Halves* halves, const Links* links) noexcept nogil

# All halves of all nodes that score at least `halves.least`; `single` lets the root have one child only.
# O(n³ × states²) time, where states = numbers of children × tags of the sentence, and far less where `least` excludes
# most; O(n² × states) memory. A word that shows its first child costs as much as n others.
cdef void fill_halves(Halves* halves, const Links* links, bint single) noexcept nogil


cdef inline int states_in(const Links* links) noexcept nogil:
    """States of one block."""
    return links.levels * links.tags


cdef inline int ranks_of(const Links* links, int head, int end) noexcept nogil:
    """How many ranks a half up to `end` may have."""
    cdef int distance = abs(end - head)
    if not links.shows[head]:
        return min(distance, links.levels)
    return (distance if end >= head else links.n - head + distance) * links.levels


cdef inline int step_of(int head, int end) noexcept nogil:
    return 1 if head < end else -1


cdef inline int block_of(const Links* links, int head, int step, int first) noexcept nogil:
    """The block of a first child among halves to one side; 0 of a head that does not show it."""
    if not links.shows[head]:
        return 0
    return first - head - 1 if first > head or step > 0 else links.n - first - 1


cdef inline int first_in(const Links* links, int head, int step, int block) noexcept nogil:
    """The first child of a block, or HIDDEN."""
    if not links.shows[head]:
        return HIDDEN
    return head + 1 + block if step > 0 or block < links.n - head else links.n - 1 - block


cdef inline int rank_alone(const Links* links, int head, int child, int first) noexcept nogil:
    """The rank of a head whose only child on this side it is; `first` is what it had before."""
    return links.levels * block_of(links, head, step_of(head, child), child if first == NOBODY else first)


cdef inline int next_rank(const Links* links, int rank) noexcept nogil:
    """The rank of a head that has one child more."""
    return rank if rank % links.levels == links.levels - 1 else rank + 1


cdef inline int count_of(const Links* links, const HalfChoice* choice, int head, int end) noexcept nogil:
    """How many states of a choice there are in halves up to `end`."""
    if choice.size:
        return max(0, choice.size)
    return ranks_of(links, head, end) * links.tags - choice.begin


cdef inline HalfChoice taking(const Links* links, int head, int step, int first) noexcept nogil:
    """The halves of a head that takes a child; `first` is what it has on the right where it takes it on the left."""
    cdef HalfChoice choice
    choice.first, choice.begin, choice.size = first if links.shows[head] else HIDDEN, 0, 0
    if links.shows[head] and step < 0:
        choice.begin = (links.n - head if first == NOBODY else first - head - 1) * states_in(links)
        choice.size = 0 if first == NOBODY else states_in(links)
    return choice


cdef inline Inner inner_halves(const Links* links, int head, int child, int first) noexcept nogil:
    """The inner halves of a child that go with a first child, or with HIDDEN."""
    cdef int step = step_of(head, child)
    cdef Inner inner
    inner.choice.first, inner.choice.begin, inner.choice.size, inner.last = first, 0, 0, child
    if first == NOBODY:
        inner.choice.size = -1
    elif first != HIDDEN:
        inner.choice.begin = block_of(links, child, -step, first) * states_in(links)
        inner.choice.size = states_in(links)
        if (first - child) * step < 0:
            inner.last = first
    return inner


cdef inline double outer_half(
    const Halves* halves, const Links* links, int head, int child, int end, int first
) noexcept nogil:
    """The best outer half of a child up to `end` that goes with a first child between head and end, or with HIDDEN."""
    if child == end and (first == HIDDEN or first <= child or head > child):
        return 0
    if first == HIDDEN:
        return halves.done[child * halves.width + end]
    if first > child or (head > child and first == NOBODY):
        return halves.shown[halves.shown_at[child] + first * halves.width + end]
    return -INFINITY
