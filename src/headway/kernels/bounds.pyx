"""See bounds.pxd."""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from headway.kernels.links cimport EMPTY, Link, best_first, link_of, score_link

cdef enum:
    TABLES = 5


cdef size_t bounds_size(const Links* links) noexcept nogil:
    cdef size_t width = links.n + 1
    return width * width * (TABLES + links.levels * links.tags + 1)


cdef bint reserve_bounds(Bounds* bounds, const Links* links) noexcept nogil:
    """Room for a sentence, kept for the next; False where memory is short."""
    cdef size_t cells = (<size_t> links.n + 1) * (<size_t> links.n + 1), size = bounds_size(links)
    if bounds.highest == NULL or size > bounds.room:
        release_bounds(bounds)
        bounds.highest = <double*> malloc(size * sizeof(double))
        if bounds.highest == NULL:
            return False
        bounds.room = size
    bounds.complete, bounds.incomplete = bounds.highest + cells, bounds.highest + 2 * cells
    bounds.outside, bounds.around = bounds.highest + 3 * cells, bounds.highest + 4 * cells
    bounds.state = bounds.highest + TABLES * cells
    return True


cdef void release_bounds(Bounds* bounds) noexcept nogil:
    free(bounds.highest)
    bounds.highest = NULL
    bounds.room = 0


cdef void score_states(Bounds* bounds, const Links* links, int head, int child) noexcept nogil:
    """The scores of a link in all states that words between head and child can make."""
    cdef Py_ssize_t cell = head * (<Py_ssize_t> links.n + 1) + child
    cdef int state, count, word, level, size = links.levels * links.tags
    cdef int step = 1 if head < child else -1
    cdef double* scores = bounds.state + cell * (size + 1) + 1
    cdef double highest
    cdef Link link = best_first(links, head, child)
    highest = scores[EMPTY] = score_link(links, &link, EMPTY, 0)
    for state in range(size):
        scores[state] = -INFINITY
    count = min(links.levels, abs(child - head) - 1)
    word = head + step
    while word != child:
        for level in range(count):
            state = level * links.tags + links.tag[word]
            if scores[state] == -INFINITY:
                scores[state] = score_link(links, &link, state, 0)
                highest = max(highest, scores[state])
        word += step
    bounds.highest[cell] = highest


cdef void find_inside(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    """Halves, from the short to the long ones."""
    cdef Py_ssize_t width = links.n + 1
    cdef int left, right, split
    cdef double* complete = bounds.complete
    cdef double* incomplete = bounds.incomplete
    cdef double best, forward, backward
    for right in range(width):
        complete[right * width + right] = 0
        for left in range(right - 1, -1, -1):
            best = -INFINITY
            for split in range(left, left + 1 if single and left == 0 else right):
                best = max(best, complete[left * width + split] + complete[right * width + split + 1])
            incomplete[left * width + right] = best + bounds.highest[left * width + right]
            incomplete[right * width + left] = best + bounds.highest[right * width + left] if left else -INFINITY
            forward = backward = -INFINITY
            for split in range(left + 1, right + 1):
                forward = max(forward, incomplete[left * width + split] + complete[split * width + right])
            for split in range(left if left else right, right):
                backward = max(backward, incomplete[right * width + split] + complete[split * width + left])
            complete[left * width + right], complete[right * width + left] = forward, backward


cdef void find_outside(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    """What is around them, from the long to the short ones."""
    cdef Py_ssize_t width = links.n + 1
    cdef int left, right
    for left in range(width * width):
        bounds.outside[left] = bounds.around[left] = -INFINITY
    bounds.outside[links.n] = 0
    for right in range(width - 1, -1, -1):
        for left in range(right):
            share_complete(bounds, width, left, right)
            if left:
                share_complete(bounds, width, right, left)
            share_incomplete(bounds, width, left, right, single and left == 0)


cdef inline void share_complete(Bounds* bounds, Py_ssize_t width, int head, int end) noexcept nogil:
    """Pass on what is around a half to the parts of the half, which its outermost child divides."""
    cdef double outside = bounds.outside[head * width + end]
    cdef int child = end
    cdef Py_ssize_t first, second
    if outside == -INFINITY:
        return
    while child != head:
        first, second = head * width + child, child * width + end
        bounds.around[first] = max(bounds.around[first], outside + bounds.complete[second])
        bounds.outside[second] = max(bounds.outside[second], outside + bounds.incomplete[first])
        child += 1 if child < head else -1


cdef inline void share_incomplete(Bounds* bounds, Py_ssize_t width, int left, int right, bint alone) noexcept nogil:
    """Pass on what is around two halves and a link to the halves; `alone` lets the left one be empty only."""
    cdef Py_ssize_t first = left * width + right, second = right * width + left
    cdef double outside = bounds.around[first] + bounds.highest[first]
    cdef int split
    if left:
        outside = max(outside, bounds.around[second] + bounds.highest[second])
    if outside == -INFINITY:
        return
    for split in range(left, left + 1 if alone else right):
        first, second = left * width + split, right * width + split + 1
        bounds.outside[first] = max(bounds.outside[first], outside + bounds.complete[second])
        bounds.outside[second] = max(bounds.outside[second], outside + bounds.complete[first])


cdef double find_bounds(Bounds* bounds, const Links* links, bint single) noexcept nogil:
    cdef int head, child
    for head in range(links.n + 1):
        for child in range(1, links.n + 1):
            if head != child:
                score_states(bounds, links, head, child)
    find_inside(bounds, links, single)
    find_outside(bounds, links, single)
    return bounds.complete[links.n]
