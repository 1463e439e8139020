"""What the kernels of graph parsing have in common: the parser's parts, and room to work in."""

from libc.stdint cimport uint64_t

from headway.kernels.graph.eisner cimport Chart
from headway.kernels.graph.eisner_k_best cimport Forest
from headway.kernels.features.hashes cimport Arcs, Hashes
from headway.kernels.graph.labels cimport Labels
from headway.kernels.graph.spanning cimport Contraction
from headway.kernels.graph.spanning_k_best cimport Ranking
from headway.kernels.features.templates cimport Words
from headway.kernels.trees.tree cimport Tree

cdef enum:
    MOST_FOR_SIBLINGS = 300     # words; scores of siblings for more would need more than 200 MiB


cdef struct Room:
    Hashes hashes
    Chart chart
    Forest forest
    Contraction contraction
    Ranking ranking
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
    cdef Arcs arcs
    cdef Labels labels
    cdef Words words
    cdef bint projective
    cdef bint second_order
    cdef bint single
    cdef bint joint
    cdef int longest
    cdef int most_label_features
    cdef object keep
    cdef object decoder         # (scores, single root) → heads in Python; None for a decoder of ours
    cdef object error           # the first exception of that decoder
    cdef bint of_python
    cdef bint failed            # whether there is such an exception

    cdef ask(self, Room* room, int n)


cdef inline bint scores_siblings(Graph graph, int n) noexcept nogil:
    """Whether siblings count in a sentence of n words."""
    return graph.second_order and n <= MOST_FOR_SIBLINGS


cdef bint reserve_room(Room* room, Graph graph, int k) noexcept nogil
cdef void release_room(Room* room) noexcept nogil
cdef void adjacent(const int* heads, int n, int* nearest, int* previous) noexcept nogil
cdef void decode(Graph graph, Room* room, int n) noexcept nogil
