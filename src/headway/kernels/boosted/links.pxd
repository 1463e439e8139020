"""Scores of links between two words in their states: what either of them has when their spans are joined.

A pair of nodes has the classes NONE, LEFT (the right one is the head) and RIGHT. A link is scored by its class' log
probability under the logits of the pair, plus those of a state of each word (its children between the two: how many,
tag of the outermost), plus, for each word that shows its first child, those of that child. The first child of the left
word is the nearest of those in between; that of the right word its nearest on the right, or else the nearest of those
in between. Wang, Lin and Schuurmans (2007).
"""

from libc.math cimport INFINITY, exp, log

from headway.kernels.memory cimport Memory

cdef enum:
    SAFE = 700  # the exponential of a higher number may be infinite

cdef enum:
    NONE, LEFT, RIGHT, CLASSES

# No child yet; states with children are numbers from 0 on: level × tags + tag, level = number of children - 1.
cdef enum:
    EMPTY = -1

# The value of a child that does not show its first one.
cdef enum:
    HIDDEN = -1

# Logits of one sentence, all of them borrowed.
cdef struct Links:
    int n
    int counts  # numbers of children told apart, 0 included; the last is "or more"
    int all_tags  # tags of the table, none included
    int values
    bint none
    const double* pairs  # (n + 1)² × 3
    const int* rows  # (n + 1)², or NULL
    const double* states
    const int* first_rows  # (n + 1)², or NULL
    const double* first
    const unsigned char* forbidden  # (n + 1)² of [head, child], or NULL
    int levels  # numbers of children told apart beyond 0
    int tags  # tags that occur in the sentence
    int* tag  # of each node, from 0 on
    int* original  # number in the table of each tag of the sentence
    int* value  # of each node as a first child; 0 for the root, that is, for none
    bint* shows  # whether a node shows its first child

# One link: logits of its own class, of no link, of the opposite; where those of states and first children are.
cdef struct Link:
    double own
    double no_link
    double opposite
    double offset
    int own_class
    const double* states  # of the head
    const double* child_states
    const double* first  # of the head
    const double* child_first

# What a link sees of one of its words: its state, and its first child, 0 for none, or HIDDEN.
cdef struct Seen:
    int state
    int first


cdef inline int reserve_links(Links* links, Memory memory, int longest) except -1:
    """Room for the nodes of the longest sentence."""
    cdef size_t nodes = longest + 1
    links.tag = <int*> memory.take(nodes, sizeof(int))
    links.original = <int*> memory.take(nodes, sizeof(int))
    links.value = <int*> memory.take(nodes, sizeof(int))
    links.shows = <bint*> memory.take(nodes, sizeof(bint))
    return 0


cdef inline void prepare_links(Links* links, const int* tags, const int* values) noexcept nogil:
    """Number the tags and see who shows a first child, after the pointers are set. O(n × tags + n²).

    Nothing is seen of what is NULL.
    """
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


cdef inline Link link_of(const Links* links, int head, int child) noexcept nogil:
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


cdef inline void relax(const Links* links, Link* link, const double* first, int head, int child) noexcept nogil:
    """Let other classes get as little as any first child leaves them, relative to the link's own. O(n)."""
    cdef double no_link = INFINITY, opposite = INFINITY
    cdef const double* logits
    cdef int word
    for word in range(links.n + 1):
        logits = first + CLASSES * links.value[word]
        if ((word != child and word != head) or word == 0) and logits[link.own_class] > -INFINITY:
            no_link = min(no_link, logits[NONE] - logits[link.own_class])
            opposite = min(opposite, logits[LEFT + RIGHT - link.own_class] - logits[link.own_class])
    if no_link == INFINITY:
        link.own = -INFINITY
    else:
        link.no_link, link.opposite = link.no_link + no_link, link.opposite + opposite


cdef inline Link relaxed_link(const Links* links, int head, int child) noexcept nogil:
    """The link as the best first children make it, or better: in all states it scores at least as much as with any.

    Each other class' logit relative to the link's own is the lowest that anything unknown makes it.
    """
    cdef Link link = link_of(links, head, child)
    if link.first != NULL:
        relax(links, &link, link.first, head, child)
    if link.child_first != NULL:
        relax(links, &link, link.child_first, head, child)
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


cdef inline double score_link(const Links* links, const Link* link, Seen head, Seen child) noexcept nogil:
    """The score of a link: two exponentials and a logarithm."""
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
