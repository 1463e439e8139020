"""See bounds.pxd."""

from libc.math cimport INFINITY, NAN, isnan
from libc.stdlib cimport free, malloc

from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, relaxed_link, score_link, seen

cdef enum:
    WITH_STATES = 3
    WITH_LEVELS = 2
    PLAIN = 2


cdef inline Py_ssize_t width_of(const Links* links) noexcept nogil:
    return links.n + 2


cdef inline int states_of(const Links* links) noexcept nogil:
    """States, EMPTY included."""
    return links.levels * links.tags + 1


cdef size_t bounds_size(const Links* links) noexcept nogil:
    cdef size_t width = width_of(links)
    return width * width * (WITH_STATES * states_of(links) + WITH_LEVELS * links.levels + PLAIN) + (
        <size_t> states_of(links) * states_of(links)
    )


cdef bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil:
    """Room for a sentence, kept for the next; False where memory is short."""
    cdef size_t cells = width_of(links) * width_of(links), size = bounds_size(links), states = states_of(links)
    if bounds.memory == NULL or size > bounds.room:
        release_bounds(bounds)
        bounds.memory = <double*> malloc(size * sizeof(double))
        if bounds.memory == NULL:
            return False
        bounds.room = size
    bounds.half, bounds.around = bounds.memory, bounds.memory + cells * states
    bounds.inner = bounds.around + cells * states
    bounds.done = bounds.inner + cells * states
    bounds.final, bounds.linked = bounds.done + cells, bounds.done + 2 * cells
    bounds.beyond = bounds.linked + cells * links.levels
    bounds.pairs = bounds.beyond + cells * links.levels
    return True


cdef void release_bounds(Bounds* bounds) noexcept nogil:
    free(bounds.memory)
    bounds.memory = NULL
    bounds.room = 0


cdef inline int level_after(const Links* links, int state) noexcept nogil:
    """The level of a head that has taken one child more than in this state."""
    return 0 if state == EMPTY else min(state // links.tags + 1, links.levels - 1)


cdef inline double scored(const Links* links, const Link* link, int state, int of_child) noexcept nogil:
    return score_link(links, link, seen(state, HIDDEN), seen(of_child, HIDDEN))


cdef void meet(Bounds* bounds, const Links* links, int head, int child, bint alone) noexcept nogil:
    """The best two halves between head and child, by their states, into `pairs`; `alone`: the head has none before."""
    cdef Py_ssize_t width = width_of(links), i
    cdef int states = states_of(links), b, state, of_child
    cdef const double* half
    cdef const double* inner
    cdef double* row
    for i in range(states * states):
        bounds.pairs[i] = -INFINITY
    for b in range(min(head, child) + 1, max(head, child) + 1):
        half, inner = bounds.half + (head * width + b) * states, bounds.half + (child * width + b) * states
        for state in range(1 if alone else states):
            if half[state] > -INFINITY:
                row = bounds.pairs + <Py_ssize_t> state * states
                for of_child in range(states):
                    row[of_child] = (
                        half[state] + inner[of_child] if half[state] + inner[of_child] > row[of_child]
                        else row[of_child]
                    )


cdef void link(Bounds* bounds, const Links* links, int head, int child, bint alone) noexcept nogil:
    """Halves up to a link; `alone` lets the head have no child before."""
    cdef Py_ssize_t width = width_of(links)
    cdef int states = states_of(links), state, of_child, level
    cdef double* linked = bounds.linked + (head * width + child) * links.levels
    cdef const double* row
    cdef Link wanted = relaxed_link(links, head, child)
    for level in range(links.levels):
        linked[level] = -INFINITY
    meet(bounds, links, head, child, alone)
    for state in range(1 if alone else states):
        level = level_after(links, state - 1)
        row = bounds.pairs + <Py_ssize_t> state * states
        for of_child in range(states):
            if row[of_child] > -INFINITY and row[of_child] + wanted.offset > linked[level]:
                linked[level] = max(
                    linked[level], row[of_child] + scored(links, &wanted, state - 1, of_child - 1)
                )


cdef void complete(Bounds* bounds, const Links* links, int head, int b) noexcept nogil:
    """The half of a head up to a boundary, by its outermost child."""
    cdef Py_ssize_t width = width_of(links)
    cdef int state, level, child
    cdef double* half = bounds.half + (head * width + b) * states_of(links) + 1
    cdef double* done = bounds.done + head * width + b
    cdef const double* linked
    for state in range(EMPTY, states_of(links) - 1):
        half[state] = -INFINITY
    done[0] = -INFINITY
    if b == head or b == head + 1:
        half[EMPTY] = done[0] = 0
    for child in range(min(head + 1, b), max(head, b)):
        linked = bounds.linked + (head * width + child) * links.levels
        for level in range(links.levels):
            state = level * links.tags + links.tag[child]
            half[state] = max(half[state], linked[level] + bounds.done[child * width + b])
            done[0] = max(done[0], half[state])


cdef void share_half(Bounds* bounds, const Links* links, int head, int b) noexcept nogil:
    """Pass on what is around a half to its outermost child's half and what is before that."""
    cdef Py_ssize_t width = width_of(links), outer, cell
    cdef int state, level, child
    cdef double* around = bounds.around + (head * width + b) * states_of(links) + 1
    for state in range(EMPTY, states_of(links) - 1):
        around[state] = max(around[state], bounds.final[head * width + b])
        around[state] = max(around[state], bounds.inner[(head * width + b) * states_of(links) + 1 + state])
    for child in range(min(head + 1, b), max(head, b)):
        outer = child * width + b
        for level in range(links.levels):
            cell = (head * width + child) * links.levels + level
            state = level * links.tags + links.tag[child]
            bounds.beyond[cell] = max(bounds.beyond[cell], around[state] + bounds.done[outer])
            bounds.final[outer] = max(bounds.final[outer], around[state] + bounds.linked[cell])


cdef void share_link(
    Bounds* bounds, const Links* links, int head, int child, bint alone, double least
) noexcept nogil:
    """Pass on what is around two halves with a link to the halves, but for trees of less than `least`."""
    cdef Py_ssize_t width = width_of(links), i
    cdef int states = states_of(links), b, state
    cdef const double* beyond = bounds.beyond + (head * width + child) * links.levels
    cdef Link wanted = relaxed_link(links, head, child)
    for i in range(states * states):
        bounds.pairs[i] = NAN
    for b in range(min(head, child) + 1, max(head, child) + 1):
        for state in range(EMPTY, 0 if alone else states - 1):
            share_state(
                bounds, links, &wanted, head * width + b, child * width + b, state,
                beyond[level_after(links, state)], least,
            )


cdef inline void share_state(
    Bounds* bounds, const Links* links, const Link* wanted, Py_ssize_t taker, Py_ssize_t taken, int state,
    double outside, double least
) noexcept nogil:
    """The same for two halves, with the head in one state; scores of the link are kept in `pairs`."""
    cdef Py_ssize_t states = states_of(links)
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
            scores[of_child] = scored(links, wanted, state, of_child - 1)
        best = max(best, scores[of_child] + inner[of_child])
        around[of_child] = max(around[of_child], outside + scores[of_child] + half)
    bounds.around[taker * states + 1 + state] = max(bounds.around[taker * states + 1 + state], outside + best)


cdef void find_inside(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    """Halves, from the short to the long ones."""
    cdef int left, right
    for right in range(links.n + 1):
        complete(bounds, links, right, right)
        complete(bounds, links, right, right + 1)
        for left in range(right - 1, -1, -1):
            link(bounds, links, left, right, single and left == 0)
            complete(bounds, links, left, right + 1)
            if left:
                link(bounds, links, right, left, False)
                complete(bounds, links, right, left)


cdef void find_outside(Bounds* bounds, const Links* links, bint single, double least) noexcept nogil:
    """What is around them, from the long to the short ones."""
    cdef Py_ssize_t width = width_of(links), i
    cdef int left, right
    for i in range(width * width * states_of(links)):
        bounds.around[i] = bounds.inner[i] = -INFINITY
    for i in range(width * width * links.levels):
        bounds.beyond[i] = -INFINITY
    for i in range(width * width):
        bounds.final[i] = -INFINITY
    bounds.final[links.n + 1] = 0
    for right in range(links.n, -1, -1):
        for left in range(right):
            share_half(bounds, links, left, right + 1)
            share_link(bounds, links, left, right, single and left == 0, least)
            if left:
                share_half(bounds, links, right, left)
                share_link(bounds, links, right, left, False, least)
        share_half(bounds, links, right, right)
        share_half(bounds, links, right, right + 1)


cdef double find_bounds(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    cdef double bound
    find_inside(bounds, links, single)
    bound = bounds.done[links.n + 1]
    find_outside(bounds, links, single, bound - FURTHEST)
    return bound
