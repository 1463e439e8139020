"""Features of arcs and of pairs of siblings, and their scores by the hash kernel. Bohnet (2010).

The arrays come from `headway.features.arcs`. A template has slots of up to four roles: values of the parent, the
child, the sibling, a word in between. Its key is the exclusive or of one hash for each role, so that hashes are made
once for each word and only combined for each arc. A key leads to a line of 16 weights; where the features with an
arc's direction and with its direction and length have a template in common, they lie on the same line. Which weight of
a line it is, follows from the class of the arc: 2 × its length, in 7 steps, + its direction.
"""

from libc.stdint cimport int16_t, uint64_t

from headway.kernels.structured cimport Delta
from headway.kernels.templates cimport Words

cdef enum:
    PARENT = 0
    CHILD = 1
    SIBLING = 2
    BETWEEN = 3
    ROLES = 4

cdef enum:                  # groups of templates, by what has to be known for a score
    OF_PARENT = 0
    OF_CHILD = 1
    OF_BOTH = 2
    OF_FEATS = 3            # of both, for each of their morphological features
    WITH_BETWEEN = 4
    OF_SIBLINGS = 5         # of child and sibling
    OF_THREE = 6
    LAST_GROUP = 7

cdef enum:                  # with what else the values of a template count together
    PLAIN = 0
    WITH_DISTANCE = 1
    WITH_SIDE = 2
    WITH_BOTH = 3
    DIRECTED = 4            # two features: WITH_SIDE and WITH_BOTH
    KINDS = 5

cdef enum:
    CLASSES = 16
    NEAR = 10               # longer arcs have one length
    FAR = 12                # their class, to the left
    UNMEASURED = 14         # classes from here on: from the root, or without a sibling

ctypedef fused Weight:
    float
    int16_t


cdef struct Arcs:
    int templates
    int columns
    int shift                   # key >> shift is the number of a line
    bint siblings
    int[LAST_GROUP + 1] group       # group g has the templates group[g] : group[g + 1]
    int[KINDS + 1] run          # those OF_BOTH of kind k are run[k] : run[k + 1]
    const int* kind
    const int* start            # role r of template t has the slots start[ROLES × t + r] : start[ROLES × t + r + 1]
    const int* slot             # column, offset in the sentence
    const int* each             # of each template, a bit for each role that stands for all features of its word
    const uint64_t* seed


cdef struct Hashes:             # of one sentence
    int room
    uint64_t* role[ROLES]       # [word, template]; the last row is that of no word
    float* parent               # [word, class]: scores of what needs the parent only
    float* child
    double* pairs               # [child, sibling], and [child, side] where there is no sibling
    uint64_t* partial           # of one parent and sibling
    uint64_t* distinct          # values of the words in between, for each template, their number at the end
    int* count                  # of each value
    uint64_t* child_values      # different values of children, for each template with words in between
    int* child_value            # which of them a word has
    int* child_count
    float* far                  # scores of what stands in between by the child's value, for the longest arcs


cdef inline int class_of(int start, int child) noexcept nogil:
    """The class of an arc, or of a pair of siblings: 1 to 5 words long, up to 10, longer; to the left, to the right."""
    cdef int gap = child - start if child > start else start - child
    return 2 * (gap - 1 if gap <= 5 else 5 if gap <= 10 else 6) + (child > start)


cdef inline int first_place(int kind, int which) noexcept nogil:
    """The place on a line of a class's weight, or of the first of two."""
    if kind == PLAIN:
        return 0
    if kind == WITH_DISTANCE:
        return which >> 1
    if kind == WITH_BOTH:
        return second_place(which)
    return which & 1


cdef inline int second_place(int which) noexcept nogil:
    return 2 + (which if which < UNMEASURED else which - UNMEASURED)


cdef inline uint64_t unmeasured(uint64_t key, int which) noexcept nogil:
    """Arcs without a length have lines of their own, since a line has no more than 16 places."""
    return key ^ <uint64_t> 0xD6E8FEB86659FD93 if which >= UNMEASURED else key


cdef inline float value_of(const Weight* weights, int shift, uint64_t key, int kind, int which) noexcept nogil:
    """The weight of a template's feature, or of its two."""
    cdef const Weight* line
    key = unmeasured(key, which)
    line = weights + ((key >> shift) << 4)
    if kind == DIRECTED:
        return <float> line[(key + (which & 1)) & 15] + line[(key + second_place(which)) & 15]
    return line[(key + first_place(kind, which)) & 15]


cdef bint reserve_hashes(Hashes* hashes, const Arcs* arcs, int longest) noexcept nogil
cdef void release_hashes(Hashes* hashes) noexcept nogil
cdef void prepare(Hashes* hashes, const Arcs* arcs, const Words* words) noexcept nogil
cdef void score_arcs(
    Hashes* hashes, const Arcs* arcs, const Words* words, const Weight* weights, double* scores
) noexcept nogil
cdef void score_siblings(
    Hashes* hashes, const Arcs* arcs, const Words* words, const Weight* weights, double* siblings
) noexcept nogil
cdef void collect_arc(
    const Hashes* hashes, const Arcs* arcs, const Words* words, int p, int c, int count, Delta* delta
) noexcept nogil
cdef void collect_sibling(
    const Hashes* hashes, const Arcs* arcs, const Words* words, int h, int c, int s, int count, Delta* delta
) noexcept nogil
