"""What a tree can score at the most, given some part of it: halves of heads with states, and what is around them.

Every link counts as if the first children that are shown were the best ones for it; all else is exact. So no tree
scores more than it does here, and a part whose best tree here is worse than some tree is in no best tree. Trees further
than FURTHEST below the best one here are left out.

A boundary b is the gap before node b, n + 1 the one after all. Half [head, b] holds the nodes between b and the head,
and the head: the right half where b > head. [a, b] is a × (n + 2) + b.
"""

from libc.math cimport INFINITY, NAN, isnan

from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, Links, relaxed_link, Seen, score_link
from headway.kernels.memory cimport Kept, at_least

cdef enum:
    FURTHEST = 32

cdef struct Bounds:
    Kept memory
    const Links* links
    Py_ssize_t width
    int states  # EMPTY included
    double* half  # [head, boundary, 1 + state]: a half; all states from EMPTY on
    double* around  # the same: what is not in it; the head may go on to take children
    double* inner  # the same: what is not in it, where it is all of its head's half towards the parent
    double* done  # [head, boundary]: the best half
    double* final  # the same: what is not in it; the head takes no more children on this side, away from the parent
    double* linked  # [head, child, level]: halves of both up to a link, by level of the head afterwards
    double* beyond  # the same: what is not in them
    double* pairs  # [1 + state of a head, 1 + state of a child]


cdef enum:
    WITH_STATES = 3
    WITH_LEVELS = 2
    PLAIN = 2


cdef inline int states_of(const Links* links) noexcept nogil:
    """States, EMPTY included."""
    return links.levels * links.tags + 1


cdef inline size_t bounds_size(const Links* links) noexcept nogil:
    """How many doubles a sentence needs."""
    cdef size_t width = links.n + 2, states = states_of(links)
    return width * width * (WITH_STATES * states + WITH_LEVELS * links.levels + PLAIN) + states * states


cdef inline bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil:
    """Room for a sentence, kept for the next; False where memory is short."""
    cdef size_t cells = (<size_t> links.n + 2) * (links.n + 2), states = states_of(links)
    bounds.links, bounds.width, bounds.states = links, links.n + 2, states_of(links)
    bounds.half = <double*> at_least(&bounds.memory, bounds_size(links) * sizeof(double))
    if bounds.half == NULL:
        return False
    bounds.around, bounds.inner = bounds.half + cells * states, bounds.half + 2 * cells * states
    bounds.done = bounds.inner + cells * states
    bounds.final, bounds.linked = bounds.done + cells, bounds.done + 2 * cells
    bounds.beyond = bounds.linked + cells * links.levels
    bounds.pairs = bounds.beyond + cells * links.levels
    return True


cdef inline int level_after(const Links* links, int state) noexcept nogil:
    """The level of a head that has taken one child more than in this state."""
    return 0 if state == EMPTY else min(state // links.tags + 1, links.levels - 1)


cdef inline double scored(const Links* links, const Link* link, int state, int of_child) noexcept nogil:
    return score_link(links, link, Seen(state, HIDDEN), Seen(of_child, HIDDEN))


cdef inline void meet(Bounds* bounds, int head, int child, bint alone) noexcept nogil:
    """The best two halves between head and child, by their states, into `pairs`; `alone`: the head has none before."""
    cdef Py_ssize_t i
    cdef int states = bounds.states, b, state, of_child
    cdef const double* half
    cdef const double* inner
    cdef double* row
    for i in range(states * states):
        bounds.pairs[i] = -INFINITY
    for b in range(min(head, child) + 1, max(head, child) + 1):
        half = bounds.half + (head * bounds.width + b) * states
        inner = bounds.half + (child * bounds.width + b) * states
        for state in range(1 if alone else states):
            if half[state] > -INFINITY:
                row = bounds.pairs + <Py_ssize_t> state * states
                for of_child in range(states):
                    row[of_child] = (
                        half[state] + inner[of_child] if half[state] + inner[of_child] > row[of_child]
                        else row[of_child]
                    )


cdef inline void link(Bounds* bounds, int head, int child, bint alone) noexcept nogil:
    """Halves up to a link; `alone` lets the head have no child before."""
    cdef int states = bounds.states, state, of_child, level
    cdef double* linked = bounds.linked + (head * bounds.width + child) * bounds.links.levels
    cdef const double* row
    cdef Link wanted = relaxed_link(bounds.links, head, child)
    for level in range(bounds.links.levels):
        linked[level] = -INFINITY
    meet(bounds, head, child, alone)
    for state in range(1 if alone else states):
        level = level_after(bounds.links, state - 1)
        row = bounds.pairs + <Py_ssize_t> state * states
        for of_child in range(states):
            if row[of_child] > -INFINITY and row[of_child] + wanted.offset > linked[level]:
                linked[level] = max(
                    linked[level], row[of_child] + scored(bounds.links, &wanted, state - 1, of_child - 1)
                )


cdef inline void complete(Bounds* bounds, int head, int b) noexcept nogil:
    """The half of a head up to a boundary, by its outermost child."""
    cdef int state, level, child
    cdef double* half = bounds.half + (head * bounds.width + b) * bounds.states + 1
    cdef double* done = bounds.done + head * bounds.width + b
    cdef const double* linked
    for state in range(EMPTY, bounds.states - 1):
        half[state] = -INFINITY
    done[0] = -INFINITY
    if b == head or b == head + 1:
        half[EMPTY] = done[0] = 0
    for child in range(min(head + 1, b), max(head, b)):
        linked = bounds.linked + (head * bounds.width + child) * bounds.links.levels
        for level in range(bounds.links.levels):
            state = level * bounds.links.tags + bounds.links.tag[child]
            half[state] = max(half[state], linked[level] + bounds.done[child * bounds.width + b])
            done[0] = max(done[0], half[state])


cdef inline void share_half(Bounds* bounds, int head, int b) noexcept nogil:
    """Pass on what is around a half to its outermost child's half and what is before that."""
    cdef Py_ssize_t outer, cell
    cdef int state, level, child
    cdef double* around = bounds.around + (head * bounds.width + b) * bounds.states + 1
    for state in range(EMPTY, bounds.states - 1):
        around[state] = max(around[state], bounds.final[head * bounds.width + b])
        around[state] = max(around[state], bounds.inner[(head * bounds.width + b) * bounds.states + 1 + state])
    for child in range(min(head + 1, b), max(head, b)):
        outer = child * bounds.width + b
        for level in range(bounds.links.levels):
            cell = (head * bounds.width + child) * bounds.links.levels + level
            state = level * bounds.links.tags + bounds.links.tag[child]
            bounds.beyond[cell] = max(bounds.beyond[cell], around[state] + bounds.done[outer])
            bounds.final[outer] = max(bounds.final[outer], around[state] + bounds.linked[cell])


cdef inline void share_link(Bounds* bounds, int head, int child, bint alone, double least) noexcept nogil:
    """Pass on what is around two halves with a link to the halves, but for trees of less than `least`."""
    cdef Py_ssize_t i
    cdef int states = bounds.states, b, state
    cdef const double* beyond = bounds.beyond + (head * bounds.width + child) * bounds.links.levels
    cdef Link wanted = relaxed_link(bounds.links, head, child)
    for i in range(states * states):
        bounds.pairs[i] = NAN
    for b in range(min(head, child) + 1, max(head, child) + 1):
        for state in range(EMPTY, 0 if alone else states - 1):
            share_state(
                bounds, &wanted, head * bounds.width + b, child * bounds.width + b, state,
                beyond[level_after(bounds.links, state)], least,
            )


cdef inline void share_state(
    Bounds* bounds, const Link* wanted, Py_ssize_t taker, Py_ssize_t taken, int state, double outside, double least
) noexcept nogil:
    """The same for two halves, with the head in one state; scores of the link are kept in `pairs`."""
    cdef Py_ssize_t states = bounds.states
    cdef double half = bounds.half[taker * states + 1 + state], best = -INFINITY
    cdef const double* inner = bounds.half + taken * states
    cdef double* around = bounds.inner + taken * states
    cdef double* scores = bounds.pairs + (1 + state) * states
    cdef int of_child
    if half == -INFINITY or outside == -INFINITY:
        return
    for of_child in range(states):
        if half + outside + wanted.offset + inner[of_child] < least or inner[of_child] == -INFINITY:
            continue
        if isnan(scores[of_child]):
            scores[of_child] = scored(bounds.links, wanted, state, of_child - 1)
        best = max(best, scores[of_child] + inner[of_child])
        around[of_child] = max(around[of_child], outside + scores[of_child] + half)
    bounds.around[taker * states + 1 + state] = max(bounds.around[taker * states + 1 + state], outside + best)


cdef inline void find_inside(Bounds* bounds, bint single) noexcept nogil:
    """Halves, from the short to the long ones."""
    cdef int left, right
    for right in range(bounds.links.n + 1):
        complete(bounds, right, right)
        complete(bounds, right, right + 1)
        for left in range(right - 1, -1, -1):
            link(bounds, left, right, single and left == 0)
            complete(bounds, left, right + 1)
            if left:
                link(bounds, right, left, False)
                complete(bounds, right, left)


cdef inline void find_outside(Bounds* bounds, bint single, double least) noexcept nogil:
    """What is around them, from the long to the short ones."""
    cdef Py_ssize_t i
    cdef int left, right
    for i in range(bounds.width * bounds.width * bounds.states):
        bounds.around[i] = bounds.inner[i] = -INFINITY
    for i in range(bounds.width * bounds.width * bounds.links.levels):
        bounds.beyond[i] = -INFINITY
    for i in range(bounds.width * bounds.width):
        bounds.final[i] = -INFINITY
    bounds.final[bounds.links.n + 1] = 0
    for right in range(bounds.links.n, -1, -1):
        for left in range(right):
            share_half(bounds, left, right + 1)
            share_link(bounds, left, right, single and left == 0, least)
            if left:
                share_half(bounds, right, left)
                share_link(bounds, right, left, False, least)
        share_half(bounds, right, right)
        share_half(bounds, right, right + 1)


cdef inline double find_bounds(Bounds* bounds, bint single) noexcept nogil:
    """Fill all tables; returns the bound of all trees. O(n³ × states²) time, O(n² × states) memory."""
    cdef double bound
    find_inside(bounds, single)
    bound = bounds.done[bounds.links.n + 1]
    find_outside(bounds, single, bound - FURTHEST)
    return bound
