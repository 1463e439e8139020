"""Scores of links between two words in their states: what either of them has when their spans are joined.

A pair of nodes has the classes NONE, LEFT (the right one is the head) and RIGHT. A link is scored by its class' log
probability under the logits of the pair, plus those of a state of each word (its children between the two: how many,
tag of the outermost), plus, for each word that shows its first child, those of that child. The first child of the left
word is the nearest of those in between; that of the right word its nearest on the right, or else the nearest of those
in between. Wang, Lin and Schuurmans (2007).
"""

from headway.kernels.memory cimport Memory

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

cdef int reserve_links(Links* links, Memory memory, int longest) except -1

# Number the tags and see who shows a first child, after the pointers are set; nothing is seen of what is NULL.
cdef void prepare_links(Links* links, const int* tags, const int* values) noexcept nogil

cdef Link link_of(const Links* links, int head, int child) noexcept nogil

# The link as the best first children make it, or better: in all states it scores at least as much as with any of them.
cdef Link relaxed_link(const Links* links, int head, int child) noexcept nogil

# The score of a link. O(1).
cdef double score_link(const Links* links, const Link* link, Seen head, Seen child) noexcept nogil


cdef inline Seen seen(int state, int first) noexcept nogil:
    cdef Seen one
    one.state, one.first = state, first
    return one
