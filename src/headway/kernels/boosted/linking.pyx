"""Trees of many sentences under logits with states, by either decoder; parsers/boosted/decoder.py has the arrays."""

from libc.math cimport INFINITY, NAN, isnan
from libc.stdlib cimport free
from libc.string cimport memset

from headway.kernels.boosted.cky cimport Spans, best_spans, spans_size
from headway.kernels.boosted.halves cimport Halves, halves_size, reserve_halves
from headway.kernels.boosted.links cimport CLASSES, NONE, Links, prepare_links, reserve_links
from headway.kernels.boosted.split_head cimport best_split_head
from headway.kernels.memory cimport Memory

LONGEST = MOST_WORDS
"""Words of the longest sentence that is decoded with states; longer ones are decoded by the logits of pairs alone."""
MEMORY = MOST_BYTES
"""Bytes of tables that a sentence may take before it is decoded by less."""
STEPS = MOST_STEPS
"""Joined states of halves that a sentence may take before it is decoded without first children."""
ITEMS = MOST_ITEMS
"""Spans with heads that may be kept for a sentence before it is decoded by halves of heads."""

cdef enum:
    MOST_WORDS = 300
    MOST_BYTES = 1 << 28
    MOST_STEPS = 1 << 30
    MOST_ITEMS = 1 << 18


cdef bint fits(const Links* links) noexcept nogil:
    """Whether a sentence takes neither too much memory nor, for the first children that it shows, too many steps."""
    if halves_size(links) > MOST_BYTES // sizeof(double):
        return False
    return links.first_rows == NULL or steps_of(links) <= MOST_STEPS


cdef double steps_of(const Links* links) noexcept nogil:
    """About how many pairs of states the halves of a sentence are joined in. O(n²)."""
    cdef double states = <double> links.levels * links.tags, steps = 0
    cdef int head, child
    for head in range(links.n + 1):
        for child in range(1, links.n + 1):
            if head != child:
                steps += states * states * abs(head - child) * (
                    1 if not links.shows[head] else links.n if child < head else child - head
                ) * (links.n if links.shows[child] else 1)
    return steps


cdef bint leave_out(Links* links, const int* tags, const int* values) noexcept nogil:
    """Prepare a sentence; whether first children or states had to be left out because it would take too much."""
    cdef bint left_out = False
    while True:
        prepare_links(links, tags, values)
        if (links.rows == NULL and links.first_rows == NULL) or (links.n <= MOST_WORDS and fits(links)):
            return left_out
        if links.first_rows == NULL or links.n > MOST_WORDS:
            links.rows = NULL
        links.first_rows, left_out = NULL, True


def unusable(const int[::1] offsets, const double[:, ::1] static, bint none):
    """The first cell with a logit that must not occur, or -1: +inf, NaN, or with `none` -inf for no link."""
    cdef Py_ssize_t cell = 0, width, s, a, b, c
    for s in range(offsets.shape[0] - 1):
        width = offsets[s + 1] - offsets[s] + 1
        for a in range(width):
            for b in range(a + 1, width):
                for c in range(CLASSES):
                    if not static[cell + a * width + b, c] < INFINITY:
                        return cell + a * width + b
                if none and static[cell + a * width + b, NONE] == -INFINITY:
                    return cell + a * width + b
        cell += width * width
    return -1


def decode(
    const int[::1] offsets, const double[:, ::1] static, const int[::1] rows, const int[::1] tags,
    const double[:, :, :, ::1] states, const int[::1] first_rows, const int[::1] values,
    const double[:, :, ::1] first, const unsigned char[::1] forbidden, bint single, bint none, bint spans,
    int[::1] heads, double[::1] totals,
):
    """Write the heads of all words and the score of each tree; rows of length 0 stand for no such logits.

    `forbidden` says of each cell (head, child) whether that link must not be; of length 0, all links may be.

    Returns for how many sentences logits were left out, and how many were not decoded by spans although they should be.
    """
    cdef Memory memory = Memory()
    cdef Links links
    cdef Halves halves
    cdef Spans chart
    cdef Py_ssize_t s, cell = 0, width
    cdef const int* tags_at
    cdef const int* values_at
    cdef int* heads_at
    cdef int longest = 0, reduced = 0, gave_way = 0
    cdef bint enough = True
    memset(&links, 0, sizeof(Links))
    memset(&halves, 0, sizeof(Halves))
    memset(&chart, 0, sizeof(Spans))
    for s in range(totals.shape[0]):
        longest = max(longest, offsets[s + 1] - offsets[s])
    reserve_links(&links, memory, longest)
    links.none, links.counts, links.all_tags = none, <int> states.shape[1], <int> states.shape[2]
    links.values = <int> first.shape[1]
    links.states = &states[0, 0, 0, 0] if states.shape[0] else NULL
    links.first = &first[0, 0, 0] if first.shape[0] else NULL
    with nogil:
        for s in range(totals.shape[0]):
            links.n = offsets[s + 1] - offsets[s]
            width = links.n + 1
            links.pairs = &static[cell, 0]
            links.rows = &rows[cell] if rows.shape[0] else NULL
            links.first_rows = &first_rows[cell] if first_rows.shape[0] else NULL
            links.forbidden = &forbidden[cell] if forbidden.shape[0] else NULL
            tags_at = &tags[0] + offsets[s] if tags.shape[0] else NULL
            values_at = &values[0] + offsets[s] if values.shape[0] else NULL
            heads_at = &heads[0] + offsets[s] if heads.shape[0] else NULL
            reduced += leave_out(&links, tags_at, values_at)
            totals[s] = NAN
            if spans and spans_size(&links) <= MOST_BYTES // sizeof(double):
                totals[s] = best_spans(&chart, &links, single, MOST_ITEMS, heads_at - 1)
            if isnan(totals[s]):
                gave_way += spans
                enough = reserve_halves(&halves, &links)
                if not enough:
                    break
                totals[s] = best_split_head(&halves, &links, single, heads_at - 1)
            cell += width * width
        free(halves.memory.block)
        free(chart.items)
        free(chart.memory.block)
        free(chart.bounds.memory.block)
    if not enough:
        raise MemoryError
    return reduced, gave_way
