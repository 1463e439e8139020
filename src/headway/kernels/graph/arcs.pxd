"""Scores of arcs and of pairs of siblings by the hash kernel, from hashes of words. Bohnet (2010).

A key leads to a line of 16 weights; where the features with an arc's direction and with its direction and length have a
template in common, they lie on the same line. Which weight of a line it is, follows from the class of the arc: 2 × its
length, in 7 steps, + its direction.
"""

from libc.stdint cimport int16_t, uint64_t

from headway.kernels.features.hashes cimport DIRECTED, PLAIN, WITH_BOTH, WITH_DISTANCE, ArcFeatures, Hashes
from headway.kernels.graph.structured cimport Delta
from headway.kernels.features.templates cimport Words, length_class

cdef enum:
    NEAR = 10               # longer arcs have one length
    FAR = 12                # their class, to the left
    UNMEASURED = 14         # classes from here on: from the root, or without a sibling

ctypedef fused Weight:
    float
    int16_t

cdef enum:
    NUMBERS = 5     # of each feature that is listed


cdef struct Listing:
    int* numbers    # template, single feature or word in between of the parent, of the child, which of two, weight
    Py_ssize_t count
    Py_ssize_t room
    bint failed     # memory was short


ctypedef fused Collection:  # of features: counted for learning, listed for explanations
    Delta
    Listing


cdef inline int class_of(int start, int child) noexcept nogil:
    """The class of an arc, or of a pair of siblings: by its length, to the left, to the right."""
    cdef int gap = child - start if child > start else start - child
    return 2 * (length_class(gap) - 1) + (child > start)


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


cdef inline void each_of(
    const ArcFeatures* arcs, const Words* words, int t, int role, int word, int* start, int* end
) noexcept nogil:
    """Which features of a word a role of a template stands for; -1 to 0 where it does not look at single features."""
    start[0], end[0] = -1, 0
    if arcs.each[t] >> role & 1:
        start[0] = words.feature_start[word - 1] if word > 0 else 0
        end[0] = words.feature_start[word] if word > 0 else 0


cdef void score_arcs(
    Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, double* scores
) noexcept nogil
cdef void score_siblings(
    Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, double* siblings
) noexcept nogil
cdef void collect_arc(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int p, int c, int count, Collection* found
) noexcept nogil
cdef void collect_sibling(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int h, int c, int s, int count, Collection* found
) noexcept nogil
