"""The best projective tree under scores of links in states, by spans with their heads (Cocke, Kasami and Younger).

Every tree has one derivation: a head takes its children on the right from the inside out, then those on the left. The
first pass goes over halves of heads, where the first children that words show may be any; inside and outside scores of
halves (bounds.pxd) bound what any tree with an item can score, and forbid several roots where one is asked for. Items
below a threshold are left out; where no tree is above it, the threshold goes down. So the tree that is found is better
than any that was left out.

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. Heads are heads[1] to heads[n]. A workspace is all zeros before its first use and serves one thread at a time.
"""

from libc.math cimport INFINITY, NAN, fabs
from libc.stdlib cimport realloc

from headway.kernels.boosted.bounds cimport FURTHEST, Bounds, bounds_size, find_bounds, reserve_bounds, states_of
from headway.kernels.boosted.links cimport EMPTY, HIDDEN, Link, Links, Seen, link_of, score_link
from headway.kernels.memory cimport Kept, at_least

# A span with a head whose children so far lie in it. It takes children on the right first, then on the left.
cdef struct SpanItem:
    double score
    int head
    int first  # the head's first child, 0 for none or where the head does not show it
    int state  # of the head, on the side where it takes children now; of a closed item on the side of its parent
    int right  # of a KEEPING item: the head's state on the right; else EMPTY
    int taker  # item that took the last child, or what this one was before it changed sides or was closed; or -1
    int child  # item of that child, or -1

cdef enum:
    RIGHTWARD = 0  # takes children on the right
    KEEPING = 1  # takes children on the left; its parent is on the right and will see its state there
    LEFTWARD = 2  # takes children on the left; its parent is on the left
    LEFT_CLOSED = 3  # the left word of its link
    RIGHT_CLOSED = 4  # the right word of its link
    KINDS = 5
    NOTHING = -1  # no item

# Items of one span, kind by kind.
cdef struct SpanKinds:
    int[KINDS + 1] start  # those of kind k are start[k] : start[k + 1]

cdef struct Spans:
    Kept memory
    int used
    int room  # items reserved
    int most  # items that may be
    SpanItem* items
    SpanKinds* span  # [first, last] of its words is first × (n + 1) + last
    int* key_at  # [head]: its first key
    int* found  # [key]: the item of the present span, or -1
    int* agenda
    Bounds bounds


cdef inline size_t keys_of(const Links* links, int end) noexcept nogil:
    """How many keys items of the heads before `end` may have."""
    cdef size_t keys = 0, states = states_of(links)
    cdef int head
    for head in range(end):
        keys += (links.n + 1 if links.shows[head] else 1) * states * (KINDS - 1 + states)
    return keys


cdef inline int key_of(const Spans* spans, int kind, const SpanItem* item) noexcept nogil:
    """Items that go on alike have the same key."""
    cdef size_t firsts = spans.bounds.links.n + 1 if spans.bounds.links.shows[item.head] else 1
    cdef size_t row = kind if kind < KEEPING else kind - 1
    if kind == KEEPING:
        row = KINDS - 1 + item.right + 1
    return <int> (spans.key_at[item.head] + (row * firsts + item.first) * spans.bounds.states + item.state + 1)


cdef inline bint add_item(Spans* spans, int kind, const SpanItem* item) noexcept nogil:
    """Keep an item unless there is one of its kind as good; False where there is no room."""
    cdef int* found = spans.found + key_of(spans, kind, item)
    cdef SpanItem* items
    cdef int room
    if found[0] != NOTHING:
        if item.score > spans.items[found[0]].score:
            spans.items[found[0]] = item[0]
        return True
    if spans.used == spans.room:
        room = min(2 * spans.room + 1024, spans.most)
        items = <SpanItem*> realloc(spans.items, room * sizeof(SpanItem)) if room > spans.room else NULL
        if items == NULL:
            return False
        spans.items, spans.room = items, room
    spans.items[spans.used] = item[0]
    found[0] = spans.used
    spans.used += 1
    return True


cdef inline size_t spans_size(const Links* links) noexcept nogil:
    """Doubles that a sentence needs at the least."""
    cdef size_t width = links.n + 1, ints = (sizeof(SpanKinds) // sizeof(int) + 4) * width * width
    return bounds_size(links) + (ints + keys_of(links, links.n + 1)) // 2


cdef inline bint reserve_spans(Spans* spans, const Links* links) noexcept nogil:
    """Memory for a sentence, kept for the next; False where it is short."""
    cdef size_t width = links.n + 1, cells = width * width, keys = keys_of(links, links.n + 1), key
    cdef int head
    spans.span = <SpanKinds*> at_least(
        &spans.memory, cells * sizeof(SpanKinds) + (3 * width + 2 + keys) * sizeof(int)
    )
    if spans.span == NULL:
        return False
    spans.key_at = <int*> (spans.span + cells)
    spans.agenda, spans.found = spans.key_at + width, spans.key_at + 3 * width + 2
    for key in range(keys):
        spans.found[key] = NOTHING
    for head in range(links.n + 1):
        spans.key_at[head] = keys_of(links, head)
    return reserve_bounds(&spans.bounds, links)


cdef inline double outside_of(const Bounds* bounds, int kind, const SpanItem* item, int first, int last) noexcept nogil:
    """At the most what is not in an item: by its left half, by its right half, whichever tells more.

    The other half counts as the best one with what is still seen of it.
    """
    cdef Py_ssize_t left = item.head * bounds.width + first, right = left - first + last + 1
    cdef Py_ssize_t to_left = left * bounds.states + 1, to_right = right * bounds.states + 1
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
    const Bounds* bounds, int kind, const SpanItem* item, int first, int last, double threshold
) noexcept nogil:
    """Whether all trees with an item are below the threshold, or forbidden."""
    cdef double bound = item.score
    if bound > -INFINITY:
        bound += outside_of(bounds, kind, item, first, last)
    return bound < threshold or bound == -INFINITY


cdef inline Seen seen_of(const Links* links, const SpanItem* item) noexcept nogil:
    return Seen(item.state, item.first if links.shows[item.head] else HIDDEN)


cdef inline bint take(
    Spans* spans, int kind, int taker, int child, int first, int last, double threshold
) noexcept nogil:
    """Let an item take another as a child, if no bound is against it; False where there is no room."""
    cdef const Links* links = spans.bounds.links
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
    if hopeless(&spans.bounds, kind, &item, first, last, threshold):
        return True
    item.score = head.score + other.score + score_link(links, &link, seen_of(links, head), seen_of(links, other))
    return hopeless(&spans.bounds, kind, &item, first, last, threshold) or add_item(spans, kind, &item)


cdef inline bint take_all(Spans* spans, int kind, int first, int last, double threshold) noexcept nogil:
    """Let the first node take children up to the last word, or words down to the first; False for want of room."""
    cdef Py_ssize_t width = spans.bounds.links.n + 1
    cdef int split, taker, child, closed = RIGHT_CLOSED if kind == RIGHTWARD else LEFT_CLOSED
    cdef SpanKinds takers, children
    for split in range(first, last):
        takers, children = spans.span[first * width + split], spans.span[(split + 1) * width + last]
        if kind != RIGHTWARD:
            takers, children = children, takers
        for taker in range(takers.start[kind], takers.start[kind + 1]):
            for child in range(children.start[closed], children.start[closed + 1]):
                if not take(spans, kind, taker, child, first, last, threshold):
                    return False
    return True


cdef inline bint turn(
    Spans* spans, int kind, int before, const SpanKinds* span, int first, int last, double threshold
) noexcept nogil:
    """Make items of this kind from those of a kind before. False where there is no room."""
    cdef SpanItem item
    cdef int old
    for old in range(span.start[before], span.start[before + 1]):
        item = spans.items[old]
        item.taker, item.child = old, NOTHING
        if kind == KEEPING:
            item.right, item.state = item.state, EMPTY
        elif kind == LEFTWARD:
            item.state = EMPTY
        elif kind == LEFT_CLOSED:
            item.state, item.right = item.right, EMPTY
            if item.first < item.head:
                item.first = 0
        if not hopeless(&spans.bounds, kind, &item, first, last, threshold) and not add_item(spans, kind, &item):
            return False
    return True


cdef inline bint fill_span(Spans* spans, int first, int last, double threshold) noexcept nogil:
    """All items of a span that the bound does not exclude; False where there is no room."""
    cdef SpanKinds* span = spans.span + first * (<Py_ssize_t> spans.bounds.links.n + 1) + last
    cdef SpanItem item
    cdef int kind, before, i
    span.start[RIGHTWARD] = spans.used
    if first == last:
        item = SpanItem(0, first, 0, EMPTY, EMPTY, NOTHING, NOTHING)
        if not add_item(spans, RIGHTWARD, &item):
            return False
    elif not take_all(spans, RIGHTWARD, first, last, threshold):
        return False
    for kind in range(KEEPING, KINDS):
        span.start[kind] = spans.used
        before = RIGHTWARD if kind < LEFT_CLOSED else kind - 2
        if first > 0:
            if not turn(spans, kind, before, span, first, last, threshold):
                return False
            if kind < LEFT_CLOSED and not take_all(spans, kind, first, last, threshold):
                return False
    span.start[KINDS] = spans.used
    for kind in range(KINDS):
        for i in range(span.start[kind], span.start[kind + 1]):
            spans.found[key_of(spans, kind, spans.items + i)] = NOTHING
    return True


cdef inline int best_item(Spans* spans, double threshold) noexcept nogil:
    """The best item of all words and the root, or NOTHING; -2 where there is no room."""
    cdef int first, last, i, best = NOTHING
    cdef SpanKinds span
    spans.used = 0
    for last in range(spans.bounds.links.n + 1):
        for first in range(last, -1, -1):
            if not fill_span(spans, first, last, threshold):
                return NOTHING - 1
    span = spans.span[spans.bounds.links.n]
    for i in range(span.start[RIGHTWARD], span.start[KEEPING]):
        if best == NOTHING or spans.items[i].score > spans.items[best].score:
            best = i
    return best


cdef inline void read_heads(const Spans* spans, int top, int* heads) noexcept nogil:
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


cdef inline double best_spans(Spans* spans, const Links* links, bint single, int most, int* heads) noexcept nogil:
    """O(n⁵ × states) in form; items that the bound excludes are never made.

    NaN where more than `most` items are left, first children make all trees much worse than the bound, or memory is
    short. The first threshold is a quarter below the bound of all trees, each other one twice as far.
    """
    cdef double bound, margin = 0.25, threshold, rounding
    cdef int best
    if links.n == 0:
        return 0
    if not reserve_spans(spans, links):
        return NAN
    spans.most = most
    bound = find_bounds(&spans.bounds, single)
    rounding = 1e-9 * (1 + fabs(bound))   # what sums of scores may be wrong by
    while bound > -INFINITY:
        threshold = bound - margin
        best = best_item(spans, threshold)
        if best < NOTHING:
            return NAN
        if best != NOTHING and spans.items[best].score >= threshold + rounding:
            read_heads(spans, best, heads)
            return spans.items[best].score
        margin *= 2
        if margin > FURTHEST:
            return NAN
    return bound
