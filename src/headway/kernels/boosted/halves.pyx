"""See halves.pxd."""

from libc.math cimport INFINITY, NAN, isnan

from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, Seen, link_of, score_link
from headway.kernels.memory cimport at_least


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
            most = max(most, (count * links.tags + 1) * (states_in(links) + 1))
    return halves + linked + shown + width * width + most


cdef size_t halves_size(const Links* links) noexcept nogil:
    return lay_out(links, NULL, NULL, NULL)


cdef bint reserve_halves(Halves* halves, const Links* links) noexcept nogil:
    cdef size_t width = links.n + 1, size = halves_size(links), count = width * width
    cdef int shows = 0, node
    halves.width = width
    halves.done = <double*> at_least(
        &halves.memory, size * sizeof(double) + (2 * count + width) * sizeof(size_t) + 6 * width * sizeof(int)
    )
    if halves.done == NULL:
        return False
    halves.half_at = <size_t*> (halves.done + size)
    halves.linked_at, halves.shown_at = halves.half_at + count, halves.half_at + 2 * count
    halves.agenda = <int*> (halves.shown_at + width)
    lay_out(links, halves.half_at, halves.linked_at, halves.shown_at)
    for node in range(links.n + 1):
        shows += links.shows[node]
    halves.shown = halves.done + count
    halves.half = halves.shown + shows * count
    halves.linked = halves.half + halves.half_at[count - 1]
    halves.reached = halves.linked + halves.linked_at[count - 1]
    return True


cdef void gather(
    Halves* halves, const Links* links, int head, int child, const HalfChoice* taker, const Inner* inner, bint alone
) noexcept nogil:
    """The best of what lies between head and child, by their states, into `reached` [1 + child's, 1 + head's].

    `alone` lets the head have no child before. A row that nothing was written to begins with NAN.
    """
    cdef size_t columns = count_of(links, taker, head, child) + 1
    cdef int step = step_of(head, child), end = head + step, state, count
    cdef const double* half
    cdef double best
    for state in range(states_in(links) + 1):
        halves.reached[columns * state] = NAN
    while True:
        best = halves.done[head * halves.width + end - step]
        if best + halves.done[child * halves.width + end] < halves.least:
            pass
        elif end == child:
            meet(halves.reached, columns)
            join(halves, links, head, end - step, taker, alone, 0, halves.reached)
        else:
            half = halves.half + halves.half_at[child * halves.width + end] + inner.choice.begin
            count = count_of(links, &inner.choice, child, end)
            for state in range(count):
                if half[state] > -INFINITY and best + half[state] >= halves.least:
                    meet(halves.reached + columns * (state + 1), columns)
                    join(halves, links, head, end - step, taker, alone, half[state],
                         halves.reached + columns * (state + 1))
        if end == inner.last:
            return
        end += step


cdef inline void meet(double* row, size_t columns) noexcept nogil:
    """Make a row ready where nothing has been written to it yet."""
    cdef size_t i
    if isnan(row[0]):
        for i in range(columns):
            row[i] = -INFINITY


cdef inline void join(
    const Halves* halves, const Links* links, int head, int end, const HalfChoice* taker, bint alone, double score,
    double* reached
) noexcept nogil:
    """Let the halves of a head up to `end` meet an inner half of this score."""
    cdef int state, count
    cdef const double* half
    if end == head:
        reached[0] = max(reached[0], score)
    elif not alone:
        half = halves.half + halves.half_at[head * halves.width + end] + taker.begin
        count = count_of(links, taker, head, end)
        for state in range(count):
            reached[state + 1] = half[state] + score if half[state] + score > reached[state + 1] else reached[state + 1]


cdef void score_reached(
    const Halves* halves, const Links* links, const Link* link, int head, int child, const HalfChoice* taker,
    const Inner* inner, double* linked
) noexcept nogil:
    """Add the link to what was gathered, by rank afterwards. Its score is looked at only where 0 would be enough."""
    cdef int count = count_of(links, taker, head, child), ranks = count // links.tags, step = step_of(head, child)
    cdef int before = taker.begin // links.tags, of_child, rank, after, tag, first
    cdef int alone = rank_alone(links, head, child, taker.first)
    cdef const double* reached = halves.reached
    cdef Seen below
    for of_child in range(EMPTY, states_in(links)):
        if isnan(reached[0]):
            reached += 1 + count
            continue
        below = Seen(of_child, inner.choice.first)
        if reached[0] >= halves.least and reached[0] + link.offset > linked[alone]:
            linked[alone] = max(linked[alone], reached[0] + score_link(links, link, Seen(EMPTY, taker.first), below))
        reached += 1
        for rank in range(before, before + ranks):
            after, first = next_rank(links, rank), first_in(links, head, step, rank // links.levels)
            for tag in range(links.tags):
                if reached[tag] >= halves.least and reached[tag] + link.offset > linked[after]:
                    linked[after] = max(linked[after], reached[tag] + score_link(
                        links, link, Seen(rank % links.levels * links.tags + tag, first), below,
                    ))
            reached += links.tags


cdef void link_with(
    Halves* halves, const Links* links, const Link* link, int head, int child, int first, bint alone
) noexcept nogil:
    """The best halves up to a link by rank of the head, for a first child of the child, or HIDDEN."""
    cdef int ranks = ranks_of(links, head, child), step = step_of(head, child), rank, other
    cdef double* linked = halves.linked + halves.linked_at[head * halves.width + child]
    cdef Inner inner = inner_halves(links, head, child, first)
    cdef HalfChoice taker
    if first != HIDDEN:
        linked += first * ranks
    for rank in range(ranks):
        linked[rank] = -INFINITY
    taker = taking(links, head, step, NOBODY)
    gather(halves, links, head, child, &taker, &inner, alone)
    score_reached(halves, links, link, head, child, &taker, &inner, linked)
    if links.shows[head] and step < 0:
        for other in range(head + 1, links.n + 1):
            taker = taking(links, head, step, other)
            gather(halves, links, head, child, &taker, &inner, alone)
            score_reached(halves, links, link, head, child, &taker, &inner, linked)


cdef void add_link(Halves* halves, const Links* links, int head, int child, bint alone) noexcept nogil:
    """The best halves up to a link, by first child of the child where it shows that."""
    cdef int first
    cdef Link link = link_of(links, head, child)
    if not links.shows[child]:
        link_with(halves, links, &link, head, child, HIDDEN, alone)
        return
    link_with(halves, links, &link, head, child, NOBODY, alone)
    for first in range(min(head, child) + 1, (links.n + 1 if head < child else head)):
        if first != child:
            link_with(halves, links, &link, head, child, first, alone)


cdef void add_outer(Halves* halves, const Links* links, int head, int child, int end, int first) noexcept nogil:
    """Let a link's outer half end the head's."""
    cdef int rank, ranks = ranks_of(links, head, child)
    cdef double outer = outer_half(halves, links, head, child, end, first)
    cdef double* half = halves.half + halves.half_at[head * halves.width + end] + links.tag[child]
    cdef const double* linked = halves.linked + halves.linked_at[head * halves.width + child]
    if outer == -INFINITY:
        return
    if first != HIDDEN:
        linked += first * ranks
    for rank in range(ranks):
        if linked[rank] + outer >= halves.least:
            half[rank * links.tags] = max(half[rank * links.tags], linked[rank] + outer)


cdef void complete(Halves* halves, const Links* links, int head, int end) noexcept nogil:
    """The halves of a head up to `end`, by their outermost child."""
    cdef int step = step_of(head, end), state, child = head + step, first
    cdef int count = ranks_of(links, head, end) * links.tags
    cdef double* half = halves.half + halves.half_at[head * halves.width + end]
    cdef double* done = halves.done + head * halves.width + end
    for state in range(count):
        half[state] = -INFINITY
    while (end - child) * step >= 0:
        if not links.shows[child]:
            add_outer(halves, links, head, child, end, HIDDEN)
        else:
            add_outer(halves, links, head, child, end, NOBODY)
            for first in range(min(head, child) + 1, end + 1 if step > 0 else head):
                if first != child:
                    add_outer(halves, links, head, child, end, first)
        child += step
    done[0] = -INFINITY
    for state in range(count):
        done[0] = max(done[0], half[state])
    if links.shows[head]:
        show(halves, links, head, end)


cdef void show(Halves* halves, const Links* links, int head, int end) noexcept nogil:
    """The best halves by first child; those of a left half beside an empty right one all together."""
    cdef int step = step_of(head, end), size = states_in(links), first, state
    cdef const double* half = halves.half + halves.half_at[head * halves.width + end]
    cdef double* shown = halves.shown + halves.shown_at[head] + end
    for first in range(links.n + 1):
        shown[first * halves.width] = -INFINITY
    for state in range(ranks_of(links, head, end) * links.tags):
        first = first_in(links, head, step, state // size)
        if first < head:
            first = NOBODY
        shown[first * halves.width] = max(shown[first * halves.width], half[state])


cdef void fill_halves(Halves* halves, const Links* links, bint single) noexcept nogil:
    """All halves of all nodes."""
    cdef int left, right
    for right in range(links.n + 1):
        halves.done[right * halves.width + right] = 0
        for left in range(right - 1, -1, -1):
            add_link(halves, links, left, right, single and left == 0)
            complete(halves, links, left, right)
            if left:
                add_link(halves, links, right, left, False)
                complete(halves, links, right, left)
