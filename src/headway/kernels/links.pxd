"""Scores of links between words in a state: what a head has beside the link, and what the child has.

A pair of nodes has the classes NONE, LEFT (the right one is the head) and RIGHT. A link h→m is scored by its class'
log probability under the logits of the pair, plus those of a state of h (children between h and m: how many, tag of
the outermost), plus, where m is one that shows its first child, those of that child. Wang, Lin and Schuurmans (2007).
"""

cdef enum:
    NONE = 0
    LEFT = 1
    RIGHT = 2
    CLASSES = 3

# No child yet; states with children are numbers from 0 on: level × tags + tag, level = number of children - 1.
cdef enum:
    EMPTY = -1

# The value of a child that does not show its first one.
cdef enum:
    HIDDEN = -1

# Logits of one sentence; the last four belong to the sentence and are freed with it, all else is borrowed.
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
    int levels  # numbers of children told apart beyond 0
    int tags  # tags that occur in the sentence
    int* tag  # of each node, from 0 on
    int* original  # number in the table of each tag of the sentence
    int* value  # of each node as a first child; 0 for the root, that is, for none
    bint* shows  # whether a node shows its first child

# One link: logits of its own class, of no link, of the opposite; where its state's and first child's logits are.
cdef struct Link:
    double own
    double no_link
    double opposite
    double offset
    int own_class
    const double* states
    const double* first

cdef bint reserve_links(Links* links, int longest) noexcept nogil
cdef void release_links(Links* links) noexcept nogil

# Number the tags and see who shows a first child, after the pointers are set; nothing is seen of what is NULL.
cdef void prepare_links(Links* links, const int* tags, const int* values) noexcept nogil

# The link as its best first child makes it, or better: a score with value 0 is at least that with any first child.
cdef Link best_first(const Links* links, int head, int child) noexcept nogil

cdef Link link_of(const Links* links, int head, int child) noexcept nogil

# The score of a link in a state, with the value of the first child, 0 for none, or HIDDEN.
cdef double score_link(const Links* links, const Link* link, int state, int value) noexcept nogil
