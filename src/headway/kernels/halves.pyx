"""See halves.pxd."""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from headway.kernels.links cimport EMPTY, HIDDEN, Link, link_of, score_link


cdef size_t lay_out(const Links* links, size_t* half_at, size_t* linked_at, size_t* shown_at) noexcept nogil:
    """Where everything is, one after another; where it goes is NULL, only the size of all."""
    cdef size_t width = links.n + 1, halves = 0, linked = 0, shown = 0, most = 0, count
    cdef int head, end
    for head in range(links.n + 1):
        if half_at != NULL:
            shown_at[head] = shown
        if links.shows[head]:
            shown += width * width
        for end in range(1 if head else 0, links.n + 1):
            count = ranks_of(links, head, end)
            if half_at != NULL:
                half_at[head * width + end] = halves
                linked_at[head * width + end] = linked
            halves += count * links.tags
            linked += count * (width if links.shows[end] else 1)
            most = max(most, count * links.tags)
    return halves + linked + shown + width * width + most


cdef size_t halves_size(const Links* links) noexcept nogil:
    return lay_out(links, NULL, NULL, NULL)


cdef bint reserve_halves(Halves* halves, const Links* links) noexcept nogil:
    cdef size_t width = links.n + 1, size = halves_size(links), count = width * width
    if halves.memory == NULL or size > halves.room or width > halves.nodes:
        release_halves(halves)
        halves.memory = <double*> malloc(size * sizeof(double))
        halves.half_at = <size_t*> malloc((2 * count + width) * sizeof(size_t))
        halves.agenda = <int*> malloc(6 * width * sizeof(int))
        if halves.memory == NULL or halves.half_at == NULL or halves.agenda == NULL:
            release_halves(halves)
            return False
        halves.room, halves.nodes = size, width
    halves.linked_at, halves.shown_at = halves.half_at + count, halves.half_at + 2 * count
    lay_out(links, halves.half_at, halves.linked_at, halves.shown_at)
    place(halves, links)
    return True


cdef inline void place(Halves* halves, const Links* links) noexcept nogil:
    """Share out the memory among the tables."""
    cdef size_t width = links.n + 1, last = width * width - 1
    cdef int shows = 0, node
    for node in range(links.n + 1):
        shows += links.shows[node]
    halves.done = halves.memory
    halves.shown = halves.done + width * width
    halves.half = halves.shown + shows * width * width
    halves.linked = halves.half + halves.half_at[last]
    halves.reached = halves.linked + halves.linked_at[last]


cdef void release_halves(Halves* halves) noexcept nogil:
    free(halves.memory)
    free(halves.half_at)
    free(halves.agenda)
    halves.memory, halves.half_at, halves.agenda = NULL, NULL, NULL
    halves.room = halves.nodes = 0


cdef double gather(
    Halves* halves, const Links* links, int head, int child, const Inner* inner, bint alone
) noexcept nogil:
    """The best of what lies between head and child: by state into `reached`; returns that without a sibling.

    `alone` lets no sibling be there.
    """
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, child), end = inner.start, state, count = ranks_of(links, head, child) * links.tags
    cdef double* reached = halves.reached
    cdef double empty = -INFINITY, score
    cdef const double* half
    for state in range(count):
        reached[state] = -INFINITY
    while True:
        score = inner.scores[end]
        if end - step == head:
            empty = score
        elif score > -INFINITY and not alone:
            half = halves.half + halves.half_at[head * width + end - step]
            count = ranks_of(links, head, end - step) * links.tags
            for state in range(count):
                reached[state] = half[state] + score if half[state] + score > reached[state] else reached[state]
        if end == inner.last:
            return empty
        end += step


cdef void score_reached(
    const Halves* halves, const Links* links, const Link* link, int head, int child, int value, double empty,
    double* linked
) noexcept nogil:
    """Add the link to what was gathered, by rank afterwards. Its score is looked at only where 0 would be enough."""
    cdef int ranks = ranks_of(links, head, child), level, step, tag, rank, after
    cdef double score = 0, reached
    cdef bint known
    for rank in range(ranks):
        linked[rank] = -INFINITY
    if empty > -INFINITY:
        linked[first_rank(links, head, child)] = empty + score_link(links, link, EMPTY, value)
    for level in range(min(ranks, links.levels)):
        step = next_rank(links, level) - level
        for tag in range(links.tags):
            known, rank = False, level
            while rank < ranks:
                reached, after = halves.reached[rank * links.tags + tag], rank + step
                if reached + link.offset > linked[after]:
                    if not known:
                        score = score_link(links, link, level * links.tags + tag, value)
                        known = True
                    linked[after] = max(linked[after], reached + score)
                rank += links.levels


cdef void add_link(Halves* halves, const Links* links, int head, int child, bint alone) noexcept nogil:
    """The best halves up to a link, by first child of the child where it shows that."""
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, child), ranks = ranks_of(links, head, child), first
    cdef Link link = link_of(links, head, child)
    cdef Inner inner
    cdef double* linked = halves.linked + halves.linked_at[head * width + child]
    cdef double empty
    if not links.shows[child]:
        inner = inner_halves(halves, links, head, child, HIDDEN)
        empty = gather(halves, links, head, child, &inner, alone)
        score_reached(halves, links, &link, head, child, HIDDEN, empty, linked)
        return
    first = head + step
    while first != child:
        inner = inner_halves(halves, links, head, child, first)
        empty = gather(halves, links, head, child, &inner, alone)
        score_reached(halves, links, &link, head, child, links.value[first], empty, linked + first * ranks)
        first += step
    inner = inner_halves(halves, links, head, child, NOBODY)
    empty = gather(halves, links, head, child, &inner, alone)
    score_reached(halves, links, &link, head, child, links.value[NOBODY], empty, linked)
    first = child + step
    if 0 < first <= links.n:
        inner = inner_halves(halves, links, head, child, first)
        empty = gather(halves, links, head, child, &inner, alone)
    while 0 < first <= links.n:
        score_reached(halves, links, &link, head, child, links.value[first], empty, linked + first * ranks)
        first += step


cdef void add_outer(Halves* halves, const Links* links, int head, int child, int end, int first) noexcept nogil:
    """Let a link's outer half end the head's."""
    cdef size_t width = links.n + 1
    cdef int rank, ranks = ranks_of(links, head, child)
    cdef double outer = outer_half(halves, links, head, child, end, first)
    cdef double* half = halves.half + halves.half_at[head * width + end] + links.tag[child]
    cdef const double* linked = halves.linked + halves.linked_at[head * width + child]
    if outer == -INFINITY:
        return
    if first != HIDDEN:
        linked += first * ranks
    for rank in range(ranks):
        half[rank * links.tags] = max(half[rank * links.tags], linked[rank] + outer)


cdef void complete(Halves* halves, const Links* links, int head, int end) noexcept nogil:
    """The halves of a head up to `end`, by their outermost child."""
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, end), state, child = head + step, first, size = links.levels * links.tags
    cdef int count = ranks_of(links, head, end) * links.tags
    cdef double* half = halves.half + halves.half_at[head * width + end]
    cdef double* done = halves.done + head * width + end
    cdef double* shown
    for state in range(count):
        half[state] = -INFINITY
    while (end - child) * step >= 0:
        first = head + step
        if not links.shows[child]:
            add_outer(halves, links, head, child, end, HIDDEN)
        else:
            add_outer(halves, links, head, child, end, NOBODY)
            while (end - first) * step >= 0:
                if first != child:
                    add_outer(halves, links, head, child, end, first)
                first += step
        child += step
    done[0] = -INFINITY
    for state in range(count):
        done[0] = max(done[0], half[state])
    if links.shows[head]:
        shown = halves.shown + halves.shown_at[head] + end
        for state in range(count):
            first = head + step * (state // size + 1)
            if state % size == 0:
                shown[first * width] = -INFINITY
            shown[first * width] = max(shown[first * width], half[state])


cdef void fill_halves(Halves* halves, const Links* links, bint single) noexcept nogil:
    """All halves of all nodes."""
    cdef size_t width = links.n + 1
    cdef int left, right
    for right in range(links.n + 1):
        halves.done[right * width + right] = 0
        for left in range(right - 1, -1, -1):
            add_link(halves, links, left, right, single and left == 0)
            complete(halves, links, left, right)
            if left:
                add_link(halves, links, right, left, False)
                complete(halves, links, right, left)
