"""What the kernels of graph parsing have in common: the parser's parts, and a workspace."""

from libc.stdint cimport uint64_t

from headway.kernels.features.hashes cimport ArcFeatures, Hashes
from headway.kernels.features.templates cimport Words
from headway.kernels.graph.arcs cimport Weight
from headway.kernels.graph.decoding cimport DecoderMemory, TreeDecoder
from headway.kernels.graph.labels cimport LabelFeatures
from headway.kernels.trees.tree cimport Tree

cdef enum:
    MOST_FOR_SIBLINGS = 300     # words; scores of siblings for more would need more than 200 MiB


cdef struct Workspace:
    Hashes hashes
    DecoderMemory decoding
    Tree tree
    double* scores
    double* siblings
    int* heads              # of up to k trees
    int* gold
    int* gold_label
    int* previous           # next sibling nearer to the head, of each word: in the tree found, in the gold tree
    int* gold_previous
    int* nearest
    int* best_label         # of each arc
    uint64_t* label_keys
    float* label_scores
    double* totals


cdef class Graph:
    cdef ArcFeatures arcs
    cdef LabelFeatures labels
    cdef Words words
    cdef TreeDecoder decoder
    cdef bint second_order
    cdef bint single
    cdef bint joint
    cdef int longest
    cdef int most_label_features
    cdef object keep


cdef inline bint scores_siblings(Graph graph, int n) noexcept nogil:
    """Whether siblings count in a sentence of n words."""
    return graph.second_order and n <= MOST_FOR_SIBLINGS


# A workspace for all sentences of a graph; k trees at once, or 0 for the best alone. False where memory is short.
cdef bint reserve_workspace(Workspace* space, Graph graph, int k) noexcept nogil
cdef void release_workspace(Workspace* space) noexcept nogil
cdef void add_best_labels(Graph graph, Workspace* space, const Words* words, const Weight* weights) noexcept nogil
cdef void adjacent(const int* heads, int n, int* nearest, int* previous) noexcept nogil
cdef void decode(Graph graph, Workspace* space, int n) noexcept nogil
