"""See links.pxd."""

from libc.math cimport INFINITY, exp, log
from libc.stdlib cimport free, malloc

# The exponential of a higher number may be infinite.
cdef double SAFE = 700


cdef bint reserve_links(Links* links, int longest) noexcept nogil:
    """Room for the nodes of the longest sentence; False where memory is short."""
    cdef size_t nodes = longest + 1
    links.tag = <int*> malloc(nodes * sizeof(int))
    links.original = <int*> malloc(nodes * sizeof(int))
    links.value = <int*> malloc(nodes * sizeof(int))
    links.shows = <bint*> malloc(nodes * sizeof(bint))
    return links.tag != NULL and links.original != NULL and links.value != NULL and links.shows != NULL


cdef void release_links(Links* links) noexcept nogil:
    free(links.tag)
    free(links.original)
    free(links.value)
    free(links.shows)


cdef void prepare_links(Links* links, const int* tags, const int* values) noexcept nogil:
    """O(n × tags + n²)."""
    cdef Py_ssize_t width = links.n + 1
    cdef int word, head, t
    links.levels = max(1, links.counts - 1) if links.rows != NULL else 1
    links.tags = 0 if links.rows != NULL and links.n else 1
    links.tag[0] = links.value[0] = 0
    links.shows[0] = False
    for word in range(1, links.n + 1):
        links.tag[word] = links.value[word] = 0
        links.shows[word] = False
        if links.rows != NULL:
            t = 0
            while t < links.tags and links.original[t] != tags[word - 1]:
                t += 1
            if t == links.tags:
                links.original[t] = tags[word - 1]
                links.tags += 1
            links.tag[word] = t
        if links.first_rows != NULL:
            links.value[word] = values[word - 1]
            for head in range(links.n + 1):
                if head != word and links.first_rows[head * width + word] >= 0:
                    links.shows[word] = True


cdef Link link_of(const Links* links, int head, int child) noexcept nogil:
    """What all scores of a link share."""
    cdef Py_ssize_t width = links.n + 1, cell = head * width + child
    cdef Py_ssize_t pair = cell if head < child else child * width + head
    cdef const double* logits = links.pairs + CLASSES * pair
    cdef Link link
    link.own_class = RIGHT if head < child else LEFT
    link.own, link.no_link = logits[link.own_class], logits[NONE]
    link.opposite = logits[LEFT + RIGHT - link.own_class]
    link.states = link.first = NULL
    if links.rows != NULL and links.rows[cell] >= 0:
        link.states = links.states + CLASSES * (<Py_ssize_t> links.rows[cell]) * links.counts * links.all_tags
    if links.first_rows != NULL and links.first_rows[cell] >= 0:
        link.first = links.first + CLASSES * (<Py_ssize_t> links.first_rows[cell]) * links.values
    link.offset = 0
    if links.none:
        link.offset = -log_probability(link.no_link, link.own, link.opposite)
    return link


cdef Link best_first(const Links* links, int head, int child) noexcept nogil:
    """Each other class' logit relative to the link's own is the lowest that any first child makes it. O(n)."""
    cdef Link link = link_of(links, head, child)
    cdef double no_link = INFINITY, opposite = INFINITY
    cdef const double* logits
    cdef int word
    if link.first == NULL:
        return link
    for word in range(links.n + 1):
        logits = link.first + CLASSES * links.value[word]
        if word != child and word != head or word == 0:
            if logits[link.own_class] > -INFINITY:
                no_link = min(no_link, logits[NONE] - logits[link.own_class])
                opposite = min(opposite, logits[LEFT + RIGHT - link.own_class] - logits[link.own_class])
    link.first = NULL
    if no_link == INFINITY:
        link.own = -INFINITY
    else:
        link.no_link, link.opposite = link.no_link + no_link, link.opposite + opposite
    return link


cdef inline double log_probability(double own, double second, double third) noexcept nogil:
    """The logarithm of exp(own) / (exp(own) + exp(second) + exp(third)); -inf where own is -inf."""
    cdef double highest
    if own == -INFINITY:
        return -INFINITY
    second, third = second - own, third - own
    highest = max(second, third)
    if highest < SAFE:
        return -log(1 + exp(second) + exp(third))
    return -highest - log(exp(-highest) + exp(second - highest) + exp(third - highest))


cdef double score_link(const Links* links, const Link* link, int state, int value) noexcept nogil:
    """O(1): two exponentials and a logarithm."""
    cdef double own = link.own, no_link = link.no_link, opposite = link.opposite
    cdef const double* logits
    cdef int count = 0, tag = 0
    if link.states != NULL:
        if state != EMPTY:
            count = min(state // links.tags + 1, links.counts - 1)
            tag = links.original[state % links.tags]
        logits = link.states + CLASSES * (<Py_ssize_t> count * links.all_tags + tag)
        own, no_link = own + logits[link.own_class], no_link + logits[NONE]
        opposite = opposite + logits[LEFT + RIGHT - link.own_class]
    if value != HIDDEN and link.first != NULL:
        logits = link.first + CLASSES * value
        own, no_link = own + logits[link.own_class], no_link + logits[NONE]
        opposite = opposite + logits[LEFT + RIGHT - link.own_class]
    return log_probability(own, no_link, opposite) + link.offset
