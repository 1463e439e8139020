"""Items of spans for cky.pxd: spans with their heads, found again by what they go on with, and the memory for them."""

from libc.stdlib cimport realloc

from headway.kernels.boosted.bounds cimport Bounds
from headway.kernels.boosted.links cimport Links

cdef enum:
    NOTHING = -1

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

# Items of one span, kind by kind.
cdef struct SpanKinds:
    int[KINDS + 1] start  # those of kind k are start[k] : start[k + 1]

cdef struct Spans:
    size_t nodes  # nodes reserved
    size_t keys  # keys reserved
    int used
    int room  # items reserved
    int most  # items that may be
    SpanItem* items
    SpanKinds* span  # [first, last] of its words is first × (n + 1) + last
    int* key_at  # [head]: its first key
    int* found  # [key]: the item of the present span, or -1
    int* agenda
    Bounds bounds

# Doubles that a sentence needs at the least.
cdef size_t spans_size(const Links* links) noexcept nogil

# Memory for a sentence, kept for the next; False where it is short.
cdef bint reserve_spans(Spans* spans, const Links* links) noexcept nogil
cdef void release_spans(Spans* spans) noexcept nogil


cdef inline size_t states_of(const Links* links) noexcept nogil:
    """States, EMPTY included."""
    return links.levels * links.tags + 1


cdef inline size_t keys_of(const Links* links, int head) noexcept nogil:
    """How many keys items of a head may have."""
    cdef size_t firsts = links.n + 1 if links.shows[head] else 1
    return firsts * states_of(links) * (KINDS - 1 + states_of(links))


cdef inline int key_of(const Spans* spans, const Links* links, int kind, const SpanItem* item) noexcept nogil:
    """Items that go on alike have the same key."""
    cdef size_t firsts = links.n + 1 if links.shows[item.head] else 1
    cdef size_t row = kind if kind < KEEPING else kind - 1
    if kind == KEEPING:
        row = KINDS - 1 + item.right + 1
    return <int> (spans.key_at[item.head] + (row * firsts + item.first) * states_of(links) + item.state + 1)


cdef inline bint add_item(Spans* spans, const Links* links, int kind, const SpanItem* item) noexcept nogil:
    """Keep an item unless there is one of its kind as good; False where there is no room."""
    cdef int* found = spans.found + key_of(spans, links, kind, item)
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
