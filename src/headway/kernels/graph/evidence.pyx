"""See evidence.pxd."""

from libc.math cimport INFINITY, log
from libc.string cimport memcpy

import numpy as np

from headway.kernels.graph.marginals cimport (
    MarginalMemory, projective_marginals, reserve_marginals, spanning_marginals,
)
from headway.kernels.memory cimport Memory

EVIDENCE = ("marginal", "rival", "label")
"""The columns by name."""

cdef void add_siblings(
    const double* siblings, const int* heads, Py_ssize_t width, double* scores
) noexcept nogil:
    """Add to each arc what its siblings would score if the word moved there and all others stayed. O(n²)."""
    cdef Py_ssize_t head, child, before, after
    cdef const double* cube
    cdef int step
    for head in range(width):
        cube = siblings + head * width * width
        for step in range(-1, 2, 2):
            if step < 0 and head == 0:
                continue
            before, child = head, head + step
            while 0 < child < width:
                scores[head * width + child] += cube[child * width + before]
                if heads[child] == head:
                    before = child
                child += step
            after, child = -1, width - 1 if step > 0 else 1
            while child != head and 0 < child < width:
                if after >= 0:
                    # What comes after it has this word before it, and no longer the one before this.
                    before = child - step
                    while before != head and heads[before] != head:
                        before -= step
                    scores[head * width + child] += cube[after * width + child] - cube[after * width + before]
                if heads[child] == head:
                    after = child
                child -= step


cdef bint is_below(const int* heads, int word, int above) noexcept nogil:
    """Whether a word is another one or hangs below it."""
    while word > 0:
        if word == above:
            return True
        word = heads[word]
    return False


cdef void weigh_arcs(
    MarginalMemory* memory, const double* scores, const double* siblings, const int* heads, double factor, int n,
    bint single, bint projective, double* space, float* rows,
) noexcept nogil:
    cdef Py_ssize_t width = n + 1
    cdef double* local = space
    cdef double* found = space + width * width
    cdef double chance, best
    cdef int head, child
    memcpy(local, scores, width * width * sizeof(double))
    if siblings != NULL:
        add_siblings(siblings, heads, width, local)
    if projective and n <= MOST_PROJECTIVE:
        projective_marginals(memory, local, factor, n, single, found)
    else:
        spanning_marginals(memory, local, factor, n, single, found)
    for child in range(1, n + 1):
        chance = min(1 - 1e-12, max(1e-12, found[heads[child] * width + child]))
        rows[(child - 1) * COLUMNS + MARGINAL] = <float> log(chance / (1 - chance))
        best = -INFINITY
        for head in range(n + 1):
            if head != heads[child] and local[head * width + child] > best and not is_below(heads, head, child):
                best = local[head * width + child]
        rows[(child - 1) * COLUMNS + RIVAL] = <float> (factor * (local[heads[child] * width + child] - best))


def beside(const double[:, ::1] scores, const double[:, :, ::1] siblings, const int[::1] heads):
    """The scores of arcs, each with what its siblings would score if all other words of the tree stayed.

    `heads[w]` is the head of word w; heads[0] is not looked at.
    """
    found = np.array(scores)
    cdef double[:, ::1] view = found
    with nogil:
        add_siblings(&siblings[0, 0, 0], &heads[0], scores.shape[0], &view[0, 0])
    return found


def weigh(
    const int[::1] offsets, const double[::1] scores, const int[::1] heads, double factor, bint single,
    bint projective, float[:, ::1] evidence,
):
    """Fill the first two columns for trees of sentences whose matrices of scores stand one after the other."""
    cdef MarginalMemory sums
    cdef Memory memory = Memory()
    cdef int s, n, longest = 0
    cdef Py_ssize_t cell = 0
    cdef double* space
    for s in range(<int> offsets.shape[0] - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    reserve_marginals(&sums, memory, longest)
    space = <double*> memory.take(2 * <size_t> (longest + 1) * (longest + 1), sizeof(double))
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            if n:
                weigh_arcs(
                    &sums, &scores[cell], NULL, &heads[offsets[s]] - 1, factor, n, single, projective, space,
                    &evidence[offsets[s], 0],
                )
            cell += <Py_ssize_t> (n + 1) * (n + 1)
