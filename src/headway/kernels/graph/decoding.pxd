"""The decoders by name, behind one face: the best tree and the k best, and the memory that they are found in.

A decoder of ours is called here and nowhere else; scores, heads and what is returned are as in eisner.pxd. A decoder
of Python is asked with the interpreter's lock; its first exception is kept, and the kernel raises it by `check`.
"""

from headway.kernels.graph.eisner cimport Chart
from headway.kernels.graph.eisner_k_best cimport Forest
from headway.kernels.graph.spanning cimport Contraction
from headway.kernels.graph.spanning_k_best cimport TreeRanking
from headway.kernels.memory cimport Memory

cdef enum:
    EISNER, CHU_LIU_EDMONDS, OF_PYTHON


cdef class TreeDecoder:
    cdef int kind
    cdef object function        # (scores, single root) → heads, for a decoder of Python
    cdef object error           # the first exception of that function
    cdef bint failed            # whether there is one

    cdef ask(self, const double* scores, int n, bint single, int* heads)


cdef class DecoderMemory(Memory):
    cdef Chart chart
    cdef Forest forest
    cdef Contraction contraction
    cdef TreeRanking ranking

    cdef int reserve(self, TreeDecoder decoder, int longest, bint siblings, int k) except -1


# The best tree; `siblings` is NULL where arcs alone count. A decoder of Python that fails says so in `failed`.
cdef double best_tree(
    TreeDecoder decoder, DecoderMemory memory, const double* scores, const double* siblings, int n, bint single,
    int* heads,
) noexcept nogil

# Up to k trees as in eisner_k_best.pxd.
cdef int k_best_trees(
    TreeDecoder decoder, DecoderMemory memory, const double* scores, int n, int k, bint single, int* heads,
    double* totals,
) noexcept nogil
