"""Features of an arc's label, and the scores of all labels by the hash kernel.

Addresses lead from the parent or the child of the arc to other nodes of the tree, slots take values from them,
templates mix values to keys, as in features.pxd. A key leads to a row of weights with a place for every label; rows
begin at different labels, so that frequent ones of different features seldom meet.
"""

from libc.stdint cimport uint64_t

from headway.kernels.arcs cimport Text, Weight

cdef enum:
    FROM_PARENT = 0
    FROM_CHILD = 1
    STEP = 2

cdef enum:
    COLUMN = 0
    LABEL = 1
    DISTANCE = 2
    LEFT_VALENCY = 3
    RIGHT_VALENCY = 4
    EACH_FEATURE = 5
    SIDE = 6

cdef enum:
    MOST_ADDRESSES = 64
    MOST_SLOTS = 256


cdef struct Labels:
    int count               # labels
    int addresses
    int slots
    int templates
    int columns
    int width               # of a row, a power of two
    int shift               # key >> shift is the number of a row
    size_t offset           # of the first row among all weights
    const int* address      # kind, argument, parent
    const int* slot         # kind, address, argument
    const int* start        # template t has the slots member[start[t] : start[t + 1]]
    const int* member
    const uint64_t* seed
    const uint64_t* keys    # of each label as a value


cdef struct Tree:           # of n words; children of a node in the order of the sentence
    int room
    int n
    int* head               # of word w at [w]
    int* label              # -1 where it is not known yet
    int* first
    int* last
    int* before
    int* after
    int* left               # number of children before the node
    int* right


cdef bint reserve_tree(Tree* tree, int longest) noexcept nogil
cdef void release_tree(Tree* tree) noexcept nogil
cdef void grow(Tree* tree, const int* heads, int n) noexcept nogil
cdef int next_word(const Tree* tree, int word) noexcept nogil
cdef int keys_of(
    const Labels* labels, const Tree* tree, const Text* text, int parent, int child, uint64_t* keys
) noexcept nogil
cdef void score_labels(
    const Labels* labels, const Weight* weights, const uint64_t* keys, int count, float* scores
) noexcept nogil


cdef inline size_t place_of(const Labels* labels, uint64_t key, int label) noexcept nogil:
    """Where the weight of a label for a key lies among all weights."""
    return labels.offset + (key >> labels.shift) * labels.width + ((key + label) & (labels.width - 1))
