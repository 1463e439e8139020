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


cdef class Workspace(DecoderMemory):
    cdef Hashes hashes
    cdef Tree tree
    cdef double* scores
    cdef double* siblings
    cdef int* heads              # of up to k trees
    cdef int* gold
    cdef int* gold_label
    cdef int* previous           # next sibling nearer to the head, of each word: in the tree found, in the gold tree
    cdef int* gold_previous
    cdef int* nearest
    cdef int* best_label         # of each arc
    cdef uint64_t* label_keys
    cdef float* label_scores
    cdef double* totals


cdef inline bint scores_siblings(Graph graph, int n) noexcept nogil:
    """Whether siblings count in a sentence of n words."""
    return graph.second_order and n <= MOST_FOR_SIBLINGS


cdef Workspace parser_workspace(Graph graph, int k)
cdef void score_sentence(Graph graph, Workspace space, const Words* words, const Weight* weights) noexcept nogil
cdef int score_label(
    Graph graph, Workspace space, const Words* words, const Weight* weights, int p, int c
) noexcept nogil
cdef void add_best_labels(Graph graph, Workspace space, const Words* words, const Weight* weights) noexcept nogil
cdef void decode(Graph graph, Workspace space, int n) noexcept nogil
