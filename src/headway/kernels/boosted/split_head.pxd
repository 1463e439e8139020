"""The best projective tree under scores of links in states, by halves of heads (halves.pxd).

Returns the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as they are.
Heads are heads[1] to heads[n]. The workspace is reserved for the sentence and serves one thread at a time. Cost as that
of `fill_halves`. The chart has no pointers back: what was best is found again for the few halves of the tree.
"""

from libc.math cimport INFINITY

from headway.kernels.boosted.halves cimport (
    NOBODY, HalfChoice, Halves, Inner, block_of, count_of, fill_halves, first_in, inner_halves, next_rank, outer_half,
    rank_alone, ranks_of, states_in, step_of, taking,
)
from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, Links, link_of, Seen, score_link


cdef inline int put(Halves* halves, const Links* links, int size, int head, int end, int first) noexcept nogil:
    """Add the best half, with a first child unless that is HIDDEN, to the agenda; returns the new size."""
    cdef int step = step_of(head, end), state, begin = 0, stop = ranks_of(links, head, end) * links.tags, best
    cdef const double* half = halves.half + halves.half_at[head * halves.width + end]
    if head == end:
        return size
    if first > NOBODY:
        begin = block_of(links, head, step, first) * states_in(links)
        stop = begin + states_in(links)
    elif first == NOBODY:
        begin = (links.n - head) * states_in(links)
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
    cdef int ranks = ranks_of(links, head, child)
    cdef const double* linked = halves.linked + halves.linked_at[head * halves.width + child]
    if rank >= ranks:
        return -INFINITY
    return linked[rank + (0 if first == HIDDEN else first * ranks)] + outer_half(halves, links, head, child, end, first)


cdef inline void outermost(
    const Halves* halves, const Links* links, int head, int end, int state, int* child, int* first
) noexcept nogil:
    """The outermost child of a half and its first child, or HIDDEN. Of equals the nearest to the head."""
    cdef int step = step_of(head, end), node = head + step, candidate
    cdef double best = -INFINITY, score
    while (end - node) * step >= 0:
        if links.tag[node] == state % links.tags:
            for candidate in range(NOBODY if links.shows[node] else HIDDEN, links.n + 1 if links.shows[node] else 0):
                if candidate <= NOBODY or is_first_of(head, end, node, candidate):
                    score = half_with(halves, links, head, end, state // links.tags, node, candidate)
                    if score > best:
                        best, child[0], first[0] = score, node, candidate
        node += step


cdef inline bint is_first_of(int head, int end, int child, int first) noexcept nogil:
    """Whether a link in a half up to `end` may see this first child of its child."""
    if head < child:
        return head < first <= end and first != child
    return child < first < head


# What is known of a link when it is taken apart.
cdef struct Before:
    int end  # of the inner half
    int state  # of the head
    int child_state


cdef inline void improve(
    double score, double* best, Before* before, int end, int state, int child_state
) noexcept nogil:
    if score > best[0]:
        best[0], before.end, before.state, before.child_state = score, end, state, child_state


cdef inline Before before_link(
    const Halves* halves, const Links* links, int head, int child, int rank, int first, bint alone
) noexcept nogil:
    """The end of the best inner half under a link, and the states of both words before it, as in their halves."""
    cdef Link link = link_of(links, head, child)
    cdef Inner inner = inner_halves(links, head, child, first)
    cdef int step = step_of(head, child), end = head + step, state, count, known = HIDDEN
    cdef double best = -INFINITY
    cdef const double* half
    cdef HalfChoice taker
    cdef Before before = Before(child, EMPTY, EMPTY)
    if links.shows[head]:
        known = first_in(links, head, step, rank // links.levels)
        known = known if step < 0 and known > head else NOBODY
    taker = taking(links, head, step, known)
    while True:
        if end == child:
            join(halves, links, &link, head, child, end, rank, alone, &taker, &inner, EMPTY, 0, &best, &before)
        else:
            half = halves.half + halves.half_at[child * halves.width + end]
            count = count_of(links, &inner.choice, child, end)
            for state in range(inner.choice.begin, inner.choice.begin + count):
                if half[state] > -INFINITY:
                    join(halves, links, &link, head, child, end, rank, alone, &taker, &inner, state, half[state],
                         &best, &before)
        if end == inner.last:
            return before
        end += step


cdef inline void join(
    const Halves* halves, const Links* links, const Link* link, int head, int child, int end, int rank, bint alone,
    const HalfChoice* taker, const Inner* inner, int child_state, double score, double* best, Before* before
) noexcept nogil:
    """Look at all states of the head that an inner half up to `end` may have met."""
    cdef int step = step_of(head, child), size = states_in(links), state, of_child = child_state
    cdef const double* half
    if child_state != EMPTY:
        of_child = child_state % size
    if end - step == head:
        if rank_alone(links, head, child, taker.first) == rank:
            score += score_link(links, link, Seen(EMPTY, taker.first), Seen(of_child, inner.choice.first))
            improve(score, best, before, end, EMPTY, child_state)
        return
    half = halves.half + halves.half_at[head * halves.width + end - step]
    if alone:
        return
    for state in range(taker.begin, taker.begin + count_of(links, taker, head, end - step)):
        if next_rank(links, state // links.tags) == rank and half[state] > -INFINITY:
            improve(
                score + half[state] + score_link(
                    links, link, Seen(state % size, first_in(links, head, step, state // size)),
                    Seen(of_child, inner.choice.first),
                ),
                best, before, end, state, child_state,
            )


cdef inline void read_heads(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil:
    """Write the heads of the best tree: halves are taken apart at their outermost links."""
    cdef int size, head, end, state, child = 0, first = HIDDEN
    cdef Before before
    size = put(halves, links, 0, 0, links.n, HIDDEN)
    while size:
        size -= 1
        head, end, state = halves.agenda[3 * size], halves.agenda[3 * size + 1], halves.agenda[3 * size + 2]
        outermost(halves, links, head, end, state, &child, &first)
        heads[child] = head
        before = before_link(halves, links, head, child, state // links.tags, first, single and head == 0)
        size = put(halves, links, size, child, end, first)
        if before.child_state != EMPTY:
            size = put_state(halves, size, child, before.end, before.child_state)
        if before.state != EMPTY:
            size = put_state(halves, size, head, before.end - step_of(head, child), before.state)


cdef inline double best_split_head(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil:
    """Log probabilities are not above 0: a half below `least` is in no tree that reaches it, so that none is missed.

    At first a tree is to score a quarter for each of its words, then twice as much, at the end anything.
    """
    cdef double total
    if links.n == 0:
        return 0
    halves.least = -INFINITY if links.none else -0.25 * links.n
    fill_halves(halves, links, single)
    while halves.done[links.n] == -INFINITY and halves.least > -INFINITY:
        halves.least = 2 * halves.least if halves.least > -1.0 * links.n else -INFINITY
        fill_halves(halves, links, single)
    total = halves.done[links.n]
    if total > -INFINITY:
        read_heads(halves, links, single, heads)
    return total
