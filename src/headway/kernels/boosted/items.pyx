"""See items.pxd."""

from libc.stdlib cimport free, malloc

from headway.kernels.boosted.bounds cimport bounds_size, release_bounds, reserve_bounds


cdef size_t spans_size(const Links* links) noexcept nogil:
    cdef size_t width = links.n + 1, ints = (sizeof(SpanKinds) // sizeof(int) + 4) * width * width
    cdef int head
    for head in range(links.n + 1):
        ints += keys_of(links, head)
    return bounds_size(links) + ints // 2


cdef bint reserve_spans(Spans* spans, const Links* links) noexcept nogil:
    cdef size_t width = links.n + 1, keys = 0, key
    cdef int head
    for head in range(links.n + 1):
        keys += keys_of(links, head)
    if spans.span == NULL or width > spans.nodes or keys > spans.keys:
        release_spans(spans)
        spans.span = <SpanKinds*> malloc(width * width * sizeof(SpanKinds))
        spans.key_at = <int*> malloc(width * sizeof(int))
        spans.agenda = <int*> malloc((2 * width + 2) * sizeof(int))
        spans.found = <int*> malloc(keys * sizeof(int))
        if spans.span == NULL or spans.key_at == NULL or spans.agenda == NULL or spans.found == NULL:
            release_spans(spans)
            return False
        spans.nodes, spans.keys = width, keys
    keys = 0
    for head in range(links.n + 1):
        spans.key_at[head] = keys
        keys += keys_of(links, head)
    for key in range(keys):
        spans.found[key] = NOTHING
    return reserve_bounds(&spans.bounds, links)


cdef void release_spans(Spans* spans) noexcept nogil:
    free(spans.items)
    free(spans.span)
    free(spans.key_at)
    free(spans.agenda)
    free(spans.found)
    spans.items, spans.span, spans.key_at, spans.agenda, spans.found = NULL, NULL, NULL, NULL, NULL
    spans.room = 0
    spans.nodes = spans.keys = 0
    release_bounds(&spans.bounds)
