"""See links.pxd."""

from libc.math cimport INFINITY, exp, log

# The exponential of a higher number may be infinite.
cdef double SAFE = 700


cdef int reserve_links(Links* links, Memory memory, int longest) except -1:
    """Room for the nodes of the longest sentence."""
    cdef size_t nodes = longest + 1
    links.tag = <int*> memory.take(nodes, sizeof(int))
    links.original = <int*> memory.take(nodes, sizeof(int))
    links.value = <int*> memory.take(nodes, sizeof(int))
    links.shows = <bint*> memory.take(nodes, sizeof(bint))
    return 0


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


cdef inline const double* row_of(const double* table, const int* rows, Py_ssize_t cell, Py_ssize_t size) noexcept nogil:
    """The row of a table that a cell has, or NULL."""
    if rows == NULL or rows[cell] < 0:
        return NULL
    return table + CLASSES * (<Py_ssize_t> rows[cell]) * size


cdef Link link_of(const Links* links, int head, int child) noexcept nogil:
    """What all scores of a link share."""
    cdef Py_ssize_t width = links.n + 1, cell = head * width + child, turned = child * width + head
    cdef Py_ssize_t size = <Py_ssize_t> links.counts * links.all_tags
    cdef const double* logits = links.pairs + CLASSES * (cell if head < child else turned)
    cdef Link link
    link.own_class = RIGHT if head < child else LEFT
    link.own, link.no_link = logits[link.own_class], logits[NONE]
    link.opposite = logits[LEFT + RIGHT - link.own_class]
    link.states = row_of(links.states, links.rows, cell, size)
    link.child_states = row_of(links.states, links.rows, turned, size)
    link.first = row_of(links.first, links.first_rows, turned, links.values) if head else NULL
    link.child_first = row_of(links.first, links.first_rows, cell, links.values)
    link.offset = 0
    if links.forbidden != NULL and links.forbidden[cell]:
        link.own = -INFINITY
    if links.none:
        link.offset = -log_probability(link.no_link, link.own, link.opposite)
    return link


cdef inline const double* state_logits(const Links* links, const double* states, int state) noexcept nogil:
    cdef int count = 0, tag = 0
    if state != EMPTY:
        count = min(state // links.tags + 1, links.counts - 1)
        tag = links.original[state % links.tags]
    return states + CLASSES * (<Py_ssize_t> count * links.all_tags + tag)


# How little the other classes get of something unknown, relative to a link's own; nothing is possible where INFINITY.
cdef struct Least:
    double no_link
    double opposite


cdef inline void consider(Least* least, const Link* link, const double* logits) noexcept nogil:
    if logits[link.own_class] > -INFINITY:
        least.no_link = min(least.no_link, logits[NONE] - logits[link.own_class])
        least.opposite = min(least.opposite, logits[LEFT + RIGHT - link.own_class] - logits[link.own_class])


cdef inline void relax(Link* link, const Least* least) noexcept nogil:
    if least.no_link == INFINITY:
        link.own = -INFINITY
    else:
        link.no_link, link.opposite = link.no_link + least.no_link, link.opposite + least.opposite


cdef Least any_first(const Links* links, const Link* link, const double* first, int head, int child) noexcept nogil:
    """O(n)."""
    cdef Least least
    cdef int word
    least.no_link = least.opposite = INFINITY
    for word in range(links.n + 1):
        if (word != child and word != head) or word == 0:
            consider(&least, link, first + CLASSES * links.value[word])
    return least


cdef Link relaxed_link(const Links* links, int head, int child) noexcept nogil:
    """Each other class' logit relative to the link's own is the lowest that anything unknown makes it."""
    cdef Link link = link_of(links, head, child)
    cdef Least least
    if link.first != NULL:
        least = any_first(links, &link, link.first, head, child)
        relax(&link, &least)
    if link.child_first != NULL:
        least = any_first(links, &link, link.child_first, head, child)
        relax(&link, &least)
    link.first = link.child_first = NULL
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


cdef inline void add(Link* link, const double* logits) noexcept nogil:
    link.own, link.no_link = link.own + logits[link.own_class], link.no_link + logits[NONE]
    link.opposite = link.opposite + logits[LEFT + RIGHT - link.own_class]


cdef double score_link(const Links* links, const Link* link, Seen head, Seen child) noexcept nogil:
    """Two exponentials and a logarithm."""
    cdef Link sum = link[0]
    if link.states != NULL:
        add(&sum, state_logits(links, link.states, head.state))
    if link.child_states != NULL:
        add(&sum, state_logits(links, link.child_states, child.state))
    if link.first != NULL and head.first != HIDDEN:
        add(&sum, link.first + CLASSES * links.value[head.first])
    if link.child_first != NULL and child.first != HIDDEN:
        add(&sum, link.child_first + CLASSES * links.value[child.first])
    return log_probability(sum.own, sum.no_link, sum.opposite) + link.offset
