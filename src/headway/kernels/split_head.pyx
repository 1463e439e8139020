"""See split_head.pxd.

The state of a half is that of its head: level × tags + tag says how many children there are and the tag of the
outermost; for a head that shows its first child, first × levels × tags is added, where `first` is how many words lie
between the two. A rank is a state without its tag: right after a link the tag is the child's. The empty half has no
state. Of a child, the half towards its head is the inner one, the other the outer one. First child is the nearest on
the right, or where there is none, the nearest on the left: the right half tells alone unless it is empty.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from headway.kernels.links cimport EMPTY, HIDDEN, Link, link_of, score_link

cdef enum:
    NOBODY = 0


# Ends of inner halves that a link may have, and their scores by end.
cdef struct Inner:
    int start
    int last
    const double* scores


cdef inline int ranks_of(const Links* links, int head, int end) noexcept nogil:
    """How many ranks a half up to `end` may have."""
    cdef int distance = abs(end - head)
    return distance * links.levels if links.shows[head] else min(distance, links.levels)


cdef inline int step_of(int head, int end) noexcept nogil:
    return 1 if head < end else -1


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
    """The best outer half of a child up to `end` that goes with a first child, or with HIDDEN."""
    cdef size_t width = links.n + 1
    cdef int step = step_of(head, child)
    if first == HIDDEN:
        return halves.done[child * width + end]
    if first != NOBODY and (first - child) * step > 0:
        if (end - first) * step < 0:
            return -INFINITY
        return halves.shown[halves.shown_at[child] + first * width + end]
    if child == end or (first != NOBODY and step < 0):
        return halves.done[child * width + end]
    return -INFINITY


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
    """Add the link to what was gathered, by rank afterwards."""
    cdef int ranks = ranks_of(links, head, child), level, tag, rank, after
    cdef double score = 0, reached
    cdef bint known
    for rank in range(ranks):
        linked[rank] = -INFINITY
    if empty > -INFINITY:
        linked[first_rank(links, head, child)] = empty + score_link(links, link, EMPTY, value)
    for level in range(min(ranks, links.levels)):
        for tag in range(links.tags):
            known = False
            rank = level
            while rank < ranks:
                reached = halves.reached[rank * links.tags + tag]
                if reached > -INFINITY and not known:
                    score = score_link(links, link, level * links.tags + tag, value)
                    known = True
                if reached > -INFINITY:
                    after = next_rank(links, rank)
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


cdef void fill(Halves* halves, const Links* links, bint single) noexcept nogil:
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
    fill(halves, links, single)
    total = halves.done[links.n]
    if total > -INFINITY:
        read_heads(halves, links, single, heads)
    return total
