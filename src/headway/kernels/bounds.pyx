"""See bounds.pxd."""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from headway.kernels.links cimport EMPTY, HIDDEN, Link, relaxed_link, score_link, seen

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
    return width * width * (WITH_STATES * states_of(links) + WITH_LEVELS * links.levels + PLAIN)


cdef bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil:
    """Room for a sentence, kept for the next; False where memory is short."""
    cdef size_t cells = width_of(links) * width_of(links), size = bounds_size(links), states = states_of(links)
    if bounds.memory == NULL or size > bounds.room:
        release_bounds(bounds)
        bounds.memory = <double*> malloc(size * sizeof(double))
        if bounds.memory == NULL:
            return False
        bounds.room = size
    bounds.score, bounds.half = bounds.memory, bounds.memory + cells * states
    bounds.around = bounds.half + cells * states
    bounds.done = bounds.around + cells * states
    bounds.final, bounds.linked = bounds.done + cells, bounds.done + 2 * cells
    bounds.beyond = bounds.linked + cells * links.levels
    return True


cdef void release_bounds(Bounds* bounds) noexcept nogil:
    free(bounds.memory)
    bounds.memory = NULL
    bounds.room = 0


cdef void score_states(Bounds* bounds, const Links* links, int head, int child) noexcept nogil:
    """The scores of a link in all states that words between head and child can make."""
    cdef int state, word, level, step = 1 if head < child else -1
    cdef double* scores = bounds.score + (head * width_of(links) + child) * states_of(links) + 1
    cdef Link link = relaxed_link(links, head, child)
    for state in range(EMPTY, states_of(links) - 1):
        scores[state] = -INFINITY
    scores[EMPTY] = score_link(links, &link, seen(EMPTY, HIDDEN), seen(EMPTY, HIDDEN))
    word = head + step
    while word != child:
        for level in range(min(links.levels, abs(child - head) - 1)):
            state = level * links.tags + links.tag[word]
            if scores[state] == -INFINITY:
                scores[state] = score_link(links, &link, seen(state, HIDDEN), seen(EMPTY, HIDDEN))
        word += step


cdef inline int level_after(const Links* links, int level) noexcept nogil:
    return min(level + 1, links.levels - 1)


cdef void link(Bounds* bounds, const Links* links, int head, int child, bint alone) noexcept nogil:
    """Halves up to a link; `alone` lets the head have no child before."""
    cdef Py_ssize_t width = width_of(links)
    cdef int b, level, after
    cdef const double* score = bounds.score + (head * width + child) * states_of(links) + 1
    cdef double* linked = bounds.linked + (head * width + child) * links.levels
    cdef const double* half
    cdef double inner
    for level in range(links.levels):
        linked[level] = -INFINITY
    for b in range(min(head, child) + 1, max(head, child) + 1):
        half = bounds.half + (head * width + b) * states_of(links) + 1
        inner = bounds.done[child * width + b]
        linked[0] = max(linked[0], half[EMPTY] + score[EMPTY] + inner)
        for level in range(0 if alone else links.levels):
            after = level_after(links, level)
            linked[after] = max(
                linked[after], highest(half + level * links.tags, score + level * links.tags, links.tags) + inner
            )


cdef inline double highest(const double* a, const double* b, int count) noexcept nogil:
    cdef double best = -INFINITY
    cdef int i
    for i in range(count):
        best = a[i] + b[i] if a[i] + b[i] > best else best
    return best


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
    for child in range(min(head + 1, b), max(head, b)):
        outer = child * width + b
        for level in range(links.levels):
            cell = (head * width + child) * links.levels + level
            state = level * links.tags + links.tag[child]
            bounds.beyond[cell] = max(bounds.beyond[cell], around[state] + bounds.done[outer])
            bounds.final[outer] = max(bounds.final[outer], around[state] + bounds.linked[cell])


cdef void share_link(Bounds* bounds, const Links* links, int head, int child, bint alone) noexcept nogil:
    """Pass on what is around two halves with a link to the halves."""
    cdef Py_ssize_t width = width_of(links), inner
    cdef int b, level, start, state
    cdef const double* score = bounds.score + (head * width + child) * states_of(links) + 1
    cdef const double* beyond = bounds.beyond + (head * width + child) * links.levels
    cdef const double* half
    cdef double* around
    cdef double outside
    for b in range(min(head, child) + 1, max(head, child) + 1):
        half = bounds.half + (head * width + b) * states_of(links) + 1
        around = bounds.around + (head * width + b) * states_of(links) + 1
        inner = child * width + b
        around[EMPTY] = max(around[EMPTY], beyond[0] + score[EMPTY] + bounds.done[inner])
        bounds.final[inner] = max(bounds.final[inner], beyond[0] + score[EMPTY] + half[EMPTY])
        for level in range(0 if alone else links.levels):
            start, outside = level * links.tags, beyond[level_after(links, level)]
            bounds.final[inner] = max(
                bounds.final[inner], outside + highest(half + start, score + start, links.tags)
            )
            outside += bounds.done[inner]
            for state in range(start, start + links.tags):
                around[state] = score[state] + outside if score[state] + outside > around[state] else around[state]


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


cdef void find_outside(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    """What is around them, from the long to the short ones."""
    cdef Py_ssize_t width = width_of(links), i
    cdef int left, right
    for i in range(width * width * states_of(links)):
        bounds.around[i] = -INFINITY
    for i in range(width * width * links.levels):
        bounds.beyond[i] = -INFINITY
    for i in range(width * width):
        bounds.final[i] = -INFINITY
    bounds.final[links.n + 1] = 0
    for right in range(links.n, -1, -1):
        for left in range(right):
            share_half(bounds, links, left, right + 1)
            share_link(bounds, links, left, right, single and left == 0)
            if left:
                share_half(bounds, links, right, left)
                share_link(bounds, links, right, left, False)
        share_half(bounds, links, right, right)
        share_half(bounds, links, right, right + 1)


cdef double find_bounds(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    cdef int head, child
    for head in range(links.n + 1):
        for child in range(1, links.n + 1):
            if head != child:
                score_states(bounds, links, head, child)
    find_inside(bounds, links, single)
    find_outside(bounds, links, single)
    return bounds.done[links.n + 1]
