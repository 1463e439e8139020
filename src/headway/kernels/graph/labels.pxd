"""Features of an arc's label, and the scores of all labels by the hash kernel.

Addresses begin at the parent or the child of the arc and lead to other nodes of the tree. A key leads to a row of
weights with a place for every label; rows begin at different labels, so that frequent ones of different features
seldom meet.
"""

from libc.stdint cimport uint64_t

from headway.kernels.graph.arcs cimport Weight
from headway.kernels.features.templates cimport Templates, View, Words
from headway.kernels.trees.tree cimport Tree

cdef enum:
    FROM_PARENT = 0
    FROM_CHILD = 1


cdef struct LabelFeatures:
    int count               # labels
    Templates templates
    int width               # of a row, a power of two
    int shift               # key >> shift is the number of a row
    size_t offset           # of the first row among all weights


cdef void grow(Tree* tree, const int* heads, int n) noexcept nogil
cdef int next_word(const Tree* tree, int word) noexcept nogil
cdef void nodes_of_label(
    const LabelFeatures* labels, const Tree* tree, const Words* words, int parent, int child, View* view
) noexcept nogil
cdef int keys_of_label(
    const LabelFeatures* labels, const Tree* tree, const Words* words, int parent, int child, uint64_t* keys
) noexcept nogil
cdef void score_labels(
    const LabelFeatures* labels, const Weight* weights, const uint64_t* keys, int count, float* scores
) noexcept nogil


cdef inline int best_label(const LabelFeatures* labels, const float* scores) noexcept nogil:
    """The first of the labels whose score is best."""
    cdef int label, best = 0
    for label in range(1, labels.count):
        if scores[label] > scores[best]:
            best = label
    return best


cdef inline size_t place_of(const LabelFeatures* labels, uint64_t key, int label) noexcept nogil:
    """Where the weight of a label for a key lies among all weights."""
    return labels.offset + (key >> labels.shift) * labels.width + ((key + label) & (labels.width - 1))
