"""See split_head.pxd. The chart has no pointers back: what was best is found again for the few halves of the tree."""

from libc.math cimport INFINITY

from headway.kernels.halves cimport (
    NOBODY, Inner, fill_halves, first_rank, inner_halves, next_rank, outer_half, ranks_of, step_of,
)
from headway.kernels.links cimport EMPTY, HIDDEN, Link, link_of, score_link


cdef inline int put(Halves* halves, const Links* links, int size, int head, int end, int first) noexcept nogil:
    """Add the best half, with a first child unless that is HIDDEN, to the agenda; returns the new size."""
    cdef size_t width = links.n + 1
    cdef int state, begin = 0, stop = ranks_of(links, head, end) * links.tags, best
    cdef const double* half = halves.half + halves.half_at[head * width + end]
    if head == end:
        return size
    if first != HIDDEN:
        begin = (abs(first - head) - 1) * links.levels * links.tags
        stop = begin + links.levels * links.tags
    best = begin
    for state in range(begin + 1, stop):
        if half[state] > half[best]:
            best = state
    return put_state(halves, size, head, end, best)


cdef inline int put_state(Halves* halves, int size, int head, int end, int state) noexcept nogil:
    halves.agenda[3 * size], halves.agenda[3 * size + 1], halves.agenda[3 * size + 2] = head, end, state
    return size + 1


cdef inline double half_with(
    const Halves* halves, const Links* links, int head, int end, int rank, int child, int first
) noexcept nogil:
    """The best half of a rank with a given outermost child, and that one's first child unless it is HIDDEN."""
    cdef size_t width = links.n + 1
    cdef int ranks = ranks_of(links, head, child)
    cdef const double* linked = halves.linked + halves.linked_at[head * width + child]
    if rank >= ranks:
        return -INFINITY
    return linked[rank + (0 if first == HIDDEN else first * ranks)] + outer_half(halves, links, head, child, end, first)


cdef void outermost(
    const Halves* halves, const Links* links, int head, int end, int state, int* child, int* first
) noexcept nogil:
    """The outermost child of a half and its first child, or HIDDEN. Of equals the nearest to the head."""
    cdef int step = step_of(head, end), node = head + step, candidate, number
    cdef double best = -INFINITY, score
    while (end - node) * step >= 0:
        for number in range((end - head) * step + 1 if links.shows[node] else 1):
            candidate = head + number * step if number else (NOBODY if links.shows[node] else HIDDEN)
            if links.tag[node] == state % links.tags and candidate != node:
                score = half_with(halves, links, head, end, state // links.tags, node, candidate)
                if score > best:
                    best, child[0], first[0] = score, node, candidate
        node += step


cdef void before_link(
    const Halves* halves, const Links* links, int head, int child, int rank, int first, bint alone, int* end, int* state
) noexcept nogil:
    """The end of the best inner half under a link, and the state of the head before it."""
    cdef size_t width = links.n + 1
    cdef Link link = link_of(links, head, child)
    cdef Inner inner = inner_halves(halves, links, head, child, first)
    cdef int step = step_of(head, child), here = inner.start, old, value, size = links.levels * links.tags
    cdef double best = -INFINITY, score
    cdef const double* half
    value = HIDDEN if first == HIDDEN else links.value[first]
    while True:
        if here - step == head:
            if first_rank(links, head, child) == rank:
                score = inner.scores[here] + score_link(links, &link, EMPTY, value)
                if score > best:
                    best, end[0], state[0] = score, here, EMPTY
        elif not alone:
            half = halves.half + halves.half_at[head * width + here - step]
            for old in range(ranks_of(links, head, here - step) * links.tags):
                if next_rank(links, old // links.tags) == rank and half[old] + inner.scores[here] > -INFINITY:
                    score = half[old] + inner.scores[here] + score_link(links, &link, old % size, value)
                    if score > best:
                        best, end[0], state[0] = score, here, old
        if here == inner.last:
            return
        here += step


cdef void read_heads(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil:
    """Write the heads of the best tree: halves are taken apart at their outermost links."""
    cdef int size, head, end, state, child = 0, first = HIDDEN, inner = 0, before = EMPTY, step, shown
    size = put(halves, links, 0, 0, links.n, HIDDEN)
    while size:
        size -= 1
        head, end, state = halves.agenda[3 * size], halves.agenda[3 * size + 1], halves.agenda[3 * size + 2]
        step = step_of(head, end)
        outermost(halves, links, head, end, state, &child, &first)
        heads[child] = head
        before_link(
            halves, links, head, child, state // links.tags, first, single and head == 0, &inner, &before
        )
        shown = first if first > NOBODY else HIDDEN
        size = put(halves, links, size, child, end, shown if (shown - child) * step > 0 else HIDDEN)
        size = put(halves, links, size, child, inner, shown if (shown - child) * step < 0 else HIDDEN)
        if before != EMPTY:
            size = put_state(halves, size, head, inner - step, before)


cdef double best_split_head(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil:
    cdef double total
    if links.n == 0:
        return 0
    fill_halves(halves, links, single)
    total = halves.done[links.n]
    if total > -INFINITY:
        read_heads(halves, links, single, heads)
    return total
