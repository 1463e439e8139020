"""See decoding.pxd."""

from libc.math cimport INFINITY
from libc.string cimport memcpy

import numpy as np

from headway.kernels.graph.eisner cimport best_projective, reserve_chart
from headway.kernels.graph.eisner_k_best cimport k_best_projective, release_pool, reserve_forest
from headway.kernels.graph.rearranging cimport rearrange_siblings
from headway.kernels.graph.spanning cimport best_spanning, reserve_contraction
from headway.kernels.graph.spanning_k_best cimport k_best_spanning, reserve_ranking

from headway.base.errors import HeadwayError, known

DECODERS = {"eisner": EISNER, "chu-liu-edmonds": CHU_LIU_EDMONDS}


cdef class TreeDecoder:
    """A decoder of ours by its name, or with `of` a function."""

    def __init__(self, str name):
        if name not in DECODERS:
            raise HeadwayError(f"unknown decoder {name!r}; {known(DECODERS)}")
        self.kind = DECODERS[name]

    @classmethod
    def of(cls, function):
        """A decoder that asks function(scores, single root) for the heads of all words."""
        cdef TreeDecoder found = TreeDecoder.__new__(TreeDecoder)
        found.kind, found.function = OF_PYTHON, function
        return found

    def decode(self, const double[:, ::1] scores, const double[:, :, ::1] siblings, bint single, int[::1] heads):
        """Write the heads of words 1 to n into `heads[1:]`; returns the score, -inf where there is no tree.

        `siblings` is None where arcs alone count.
        """
        cdef DecoderMemory memory = DecoderMemory()
        cdef double total
        cdef int n = <int> scores.shape[0] - 1
        cdef const double* pairs = NULL if siblings is None else &siblings[0, 0, 0]
        memory.reserve(self, n, pairs != NULL, 0)
        with nogil:
            total = best_tree(self, memory, &scores[0, 0], pairs, n, single, &heads[0])
        self.check()
        return total

    def k_best(self, const double[:, ::1] scores, bint single, int[:, ::1] heads, double[::1] totals):
        """Write up to `len(totals)` trees, the best first, into the rows of `heads`; returns how many there are."""
        cdef DecoderMemory memory = DecoderMemory()
        cdef int n = <int> scores.shape[0] - 1, k = <int> totals.shape[0], found
        memory.reserve(self, n, False, k)
        with nogil:
            found = k_best_trees(self, memory, &scores[0, 0], n, k, single, &heads[0, 0], &totals[0])
        if found < 0:
            raise MemoryError
        return found

    def check(self):
        """Raise what a decoder of Python has raised."""
        if self.failed:
            error, self.error, self.failed = self.error, None, False
            raise error

    cdef ask(self, const double* scores, int n, bint single, int* heads):
        """The heads of a decoder of Python, from a copy of the scores; arcs that no tree has are forbidden."""
        cdef double[:, ::1] copy = np.empty((n + 1, n + 1))
        cdef const int[::1] found
        cdef int c
        memcpy(&copy[0, 0], scores, (n + 1) * (n + 1) * sizeof(double))
        for c in range(n + 1):
            copy[c, 0] = copy[c, c] = -INFINITY
        found = self.function(copy.base, single)
        memcpy(heads + 1, &found[0], n * sizeof(int))


cdef void ask_python(TreeDecoder decoder, const double* scores, int n, bint single, int* heads) noexcept with gil:
    try:
        decoder.ask(scores, n, single, heads)
    except BaseException as error:
        decoder.error, decoder.failed = error, True


cdef class DecoderMemory(Memory):
    """What a decoder works in."""

    def __dealloc__(self):
        release_pool(&self.forest)

    cdef int reserve(self, TreeDecoder decoder, int longest, bint siblings, int k) except -1:
        """Room for sentences of up to `longest` words, with siblings or without; k is 0 for the best tree alone."""
        if decoder.kind == EISNER and k:
            reserve_forest(&self.forest, self, longest)
        if decoder.kind == EISNER or siblings:
            reserve_chart(&self.chart, self, longest)
        if decoder.kind == CHU_LIU_EDMONDS:
            reserve_contraction(&self.contraction, self, longest)
            if k:
                reserve_ranking(&self.ranking, self, longest, k)
        return 0


cdef double best_tree(
    TreeDecoder decoder, DecoderMemory memory, const double* scores, const double* siblings, int n, bint single,
    int* heads,
) noexcept nogil:
    cdef double total
    if decoder.kind == OF_PYTHON:
        ask_python(decoder, scores, n, single, heads)
        return 0
    if decoder.kind == CHU_LIU_EDMONDS and siblings == NULL:
        return best_spanning(&memory.contraction, scores, n, single, heads)
    total = best_projective(&memory.chart, scores, siblings, n, single, heads)
    if decoder.kind == CHU_LIU_EDMONDS and total > -INFINITY:
        total = rearrange_siblings(&memory.contraction, scores, siblings, n, single, heads)
    return total


cdef int k_best_trees(
    TreeDecoder decoder, DecoderMemory memory, const double* scores, int n, int k, bint single, int* heads,
    double* totals,
) noexcept nogil:
    if decoder.kind == CHU_LIU_EDMONDS:
        return k_best_spanning(&memory.contraction, &memory.ranking, scores, n, k, single, heads, totals)
    return k_best_projective(&memory.chart, &memory.forest, scores, n, k, single, heads, totals)


def rearrange(const double[:, ::1] scores, const double[:, :, ::1] siblings, bint single, int[::1] heads):
    """Better the tree in `heads[1:]` under arc and sibling scores; returns its score."""
    cdef DecoderMemory memory = DecoderMemory()
    cdef int n = <int> scores.shape[0] - 1
    reserve_contraction(&memory.contraction, memory, n)
    return rearrange_siblings(&memory.contraction, &scores[0, 0], &siblings[0, 0, 0], n, single, &heads[0])


def unusable(const double[:, ::1] scores):
    """Where the first +inf or NaN is that counts, as head × width + child, or -1."""
    cdef Py_ssize_t width = scores.shape[0], head, child, suspects
    for head in range(width):
        suspects = 0
        for child in range(1, width):       # nothing ends this loop early, so that several are compared at once
            suspects += not scores[head, child] < INFINITY
        for child in range(1, width if suspects else 1):
            if head != child and not scores[head, child] < INFINITY:
                return head * width + child
    return -1
