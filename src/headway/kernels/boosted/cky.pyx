"""See cky.pxd.

Every tree has one derivation: a head takes its children on the right from the inside out, then those on the left. The
first pass goes over halves of heads, where the first children that words show may be any; inside and outside scores of
halves (bounds.pxd) bound what any tree with an item can score, and forbid several roots where one is asked for. Items
below a threshold are left out; where no tree is above it, the threshold goes down. So the tree that is found is better
than any that was left out.
"""

from libc.math cimport INFINITY, NAN, fabs

from headway.kernels.boosted.bounds cimport FURTHEST, Bounds, find_bounds
from headway.kernels.boosted.items cimport (
    KEEPING, KINDS, LEFT_CLOSED, LEFTWARD, NOTHING, RIGHT_CLOSED, RIGHTWARD, SpanItem, SpanKinds, add_item, key_of,
    reserve_spans, states_of,
)
from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, Seen, link_of, score_link, seen

# How far the first threshold is below the bound of all trees; each other one is GROWTH times as far.
cdef double MARGIN = 0.25
cdef double GROWTH = 2
# Relative error that sums of scores may have.
cdef double ROUNDING = 1e-9


cdef inline double outside_of(
    const Bounds* bounds, const Links* links, int kind, const SpanItem* item, int first, int last
) noexcept nogil:
    """At the most what is not in an item: by its left half, by its right half, whichever tells more.

    The other half counts as the best one with what is still seen of it.
    """
    cdef Py_ssize_t states = states_of(links)
    cdef Py_ssize_t left = item.head * (<Py_ssize_t> links.n + 2) + first, right = left - first + last + 1
    cdef Py_ssize_t to_left = left * states + 1, to_right = right * states + 1
    if kind == RIGHTWARD:
        return bounds.around[to_right + item.state]
    if kind == KEEPING:
        to_left, to_right = to_left + item.state, to_right + item.right
        return min(bounds.around[to_left] - bounds.half[to_right], bounds.inner[to_right] - bounds.half[to_left])
    if kind == LEFTWARD:
        to_left += item.state
        return min(bounds.around[to_left] - bounds.done[right], bounds.final[right] - bounds.half[to_left])
    if kind == LEFT_CLOSED:
        to_right += item.state
        return min(bounds.final[left] - bounds.half[to_right], bounds.inner[to_right] - bounds.done[left])
    to_left += item.state
    return min(bounds.inner[to_left] - bounds.done[right], bounds.final[right] - bounds.half[to_left])


cdef inline bint hopeless(
    const Bounds* bounds, const Links* links, int kind, const SpanItem* item, int first, int last, double threshold
) noexcept nogil:
    """Whether all trees with an item are below the threshold, or forbidden."""
    cdef double bound = item.score
    if bound > -INFINITY:
        bound += outside_of(bounds, links, kind, item, first, last)
    return bound < threshold or bound == -INFINITY


cdef inline Seen seen_of(const Links* links, const SpanItem* item) noexcept nogil:
    return seen(item.state, item.first if links.shows[item.head] else HIDDEN)


cdef bint take(
    Spans* spans, const Links* links, int kind, int taker, int child, int first, int last, double threshold
) noexcept nogil:
    """Let an item take another as a child, if no bound is against it; False where there is no room."""
    cdef const SpanItem* head = spans.items + taker
    cdef const SpanItem* other = spans.items + child
    cdef int level = 0 if head.state == EMPTY else min(head.state // links.tags + 1, links.levels - 1)
    cdef Link link
    cdef SpanItem item
    item.head, item.state, item.right = head.head, level * links.tags + links.tag[other.head], head.right
    item.first = other.head if links.shows[head.head] and head.first == 0 else head.first
    item.taker, item.child = taker, child
    link = link_of(links, head.head, other.head)
    item.score = head.score + other.score + link.offset
    if hopeless(&spans.bounds, links, kind, &item, first, last, threshold):
        return True
    item.score = head.score + other.score + score_link(links, &link, seen_of(links, head), seen_of(links, other))
    return hopeless(&spans.bounds, links, kind, &item, first, last, threshold) or add_item(spans, links, kind, &item)


cdef bint take_all(Spans* spans, const Links* links, int kind, int first, int last, double threshold) noexcept nogil:
    """Let the first node take children up to the last word, or words down to the first; False for want of room."""
    cdef Py_ssize_t width = links.n + 1
    cdef int split, taker, child, closed = RIGHT_CLOSED if kind == RIGHTWARD else LEFT_CLOSED
    cdef SpanKinds takers, children
    for split in range(first, last):
        takers, children = spans.span[first * width + split], spans.span[(split + 1) * width + last]
        if kind != RIGHTWARD:
            takers, children = children, takers
        for taker in range(takers.start[kind], takers.start[kind + 1]):
            for child in range(children.start[closed], children.start[closed + 1]):
                if not take(spans, links, kind, taker, child, first, last, threshold):
                    return False
    return True


cdef inline void change(SpanItem* item, int kind) noexcept nogil:
    """What an item of one kind becomes as one of another."""
    if kind == KEEPING:
        item.right, item.state = item.state, EMPTY
    elif kind == LEFTWARD:
        item.state = EMPTY
    elif kind == LEFT_CLOSED:
        item.state, item.right = item.right, EMPTY
        if item.first < item.head:
            item.first = 0


cdef bint turn(
    Spans* spans, const Links* links, int kind, int before, const SpanKinds* span, int first, int last, double threshold
) noexcept nogil:
    """Make items of this kind from those of a kind before. False where there is no room."""
    cdef SpanItem item
    cdef int old
    for old in range(span.start[before], span.start[before + 1]):
        item = spans.items[old]
        item.taker, item.child = old, NOTHING
        change(&item, kind)
        if hopeless(&spans.bounds, links, kind, &item, first, last, threshold):
            continue
        if not add_item(spans, links, kind, &item):
            return False
    return True


cdef bint fill_span(Spans* spans, const Links* links, int first, int last, double threshold) noexcept nogil:
    """All items of a span that the bound does not exclude; False where there is no room."""
    cdef SpanKinds* span = spans.span + first * (<Py_ssize_t> links.n + 1) + last
    cdef SpanItem item
    cdef int kind, before, i
    span.start[RIGHTWARD] = spans.used
    if first == last:
        item.score, item.head, item.first, item.taker, item.child = 0, first, 0, NOTHING, NOTHING
        item.state = item.right = EMPTY
        if not add_item(spans, links, RIGHTWARD, &item):
            return False
    elif not take_all(spans, links, RIGHTWARD, first, last, threshold):
        return False
    for kind in range(KEEPING, KINDS):
        span.start[kind] = spans.used
        before = RIGHTWARD if kind < LEFT_CLOSED else kind - 2
        if first > 0:
            if not turn(spans, links, kind, before, span, first, last, threshold):
                return False
            if kind < LEFT_CLOSED and not take_all(spans, links, kind, first, last, threshold):
                return False
    span.start[KINDS] = spans.used
    for kind in range(KINDS):
        for i in range(span.start[kind], span.start[kind + 1]):
            spans.found[key_of(spans, links, kind, spans.items + i)] = NOTHING
    return True


cdef int best_item(Spans* spans, const Links* links, double threshold) noexcept nogil:
    """The best item of all words and the root, or NOTHING; -2 where there is no room."""
    cdef int first, last, i, best = NOTHING
    cdef SpanKinds span
    spans.used = 0
    for last in range(links.n + 1):
        for first in range(last, -1, -1):
            if not fill_span(spans, links, first, last, threshold):
                return NOTHING - 1
    span = spans.span[links.n]
    for i in range(span.start[RIGHTWARD], span.start[KEEPING]):
        if best == NOTHING or spans.items[i].score > spans.items[best].score:
            best = i
    return best


cdef void read_heads(const Spans* spans, int top, int* heads) noexcept nogil:
    """Write the heads of an item."""
    cdef int size = 1
    cdef const SpanItem* item
    spans.agenda[0] = top
    while size:
        size -= 1
        item = spans.items + spans.agenda[size]
        if item.taker != NOTHING:
            spans.agenda[size] = item.taker
            size += 1
        if item.child != NOTHING:
            heads[spans.items[item.child].head] = item.head
            spans.agenda[size] = item.child
            size += 1


cdef double best_spans(Spans* spans, const Links* links, bint single, int most, int* heads) noexcept nogil:
    cdef double bound, margin = MARGIN, threshold, rounding
    cdef int best
    if links.n == 0:
        return 0
    if not reserve_spans(spans, links):
        return NAN
    spans.most = most
    bound = find_bounds(&spans.bounds, links, single)
    rounding = ROUNDING * (1 + fabs(bound))
    threshold = bound - margin
    while bound > -INFINITY:
        best = best_item(spans, links, threshold)
        if best < NOTHING:
            return NAN
        if best != NOTHING and spans.items[best].score >= threshold + rounding:
            read_heads(spans, best, heads)
            return spans.items[best].score
        margin *= GROWTH
        if margin > FURTHEST:
            return NAN
        threshold = bound - margin
    return bound
