"""See evidence.pxd."""

import numpy as np

from headway.kernels.graph.marginals cimport reserve_marginals
from headway.kernels.memory cimport Memory

EVIDENCE = ("marginal", "rival", "label")
"""The columns by name."""
LONGEST_PROJECTIVE = MOST_PROJECTIVE
"""Words of the longest sentence whose marginals are those of projective trees; of longer ones, of all trees."""


def beside(const double[:, ::1] scores, const double[:, :, ::1] siblings, const int[::1] heads):
    """The scores of arcs, each with what its siblings would score if all other words of the tree stayed.

    `heads[w]` is the head of word w; heads[0] is not looked at.
    """
    cdef double[:, ::1] found = np.array(scores)
    cdef int[:, ::1] rows = np.empty((3, len(scores)), np.int32)
    attach_everywhere(
        &scores[0, 0], &siblings[0, 0, 0], &heads[0], <int> scores.shape[0] - 1, &rows[0, 0], &found[0, 0]
    )
    return found.base


def weigh(
    const int[::1] offsets, const double[::1] scores, const int[::1] heads, double factor, bint single,
    bint projective, float[:, ::1] evidence,
):
    """Fill the first two columns for trees of sentences whose matrices of scores stand one after the other."""
    cdef MarginalMemory sums
    cdef Memory memory = Memory()
    cdef int s, n
    cdef Py_ssize_t cell = 0
    reserve_marginals(&sums, memory, np.diff(offsets).max(initial=0))
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            if n:
                weigh_arcs(
                    &sums, &scores[cell], NULL, &heads[offsets[s]] - 1, factor, n, single, projective,
                    &evidence[offsets[s], 0],
                )
            cell += <Py_ssize_t> (n + 1) * (n + 1)


def marginals(const double[:, ::1] scores, bint single, bint projective):
    """The marginals of one sentence, [head, child]."""
    cdef MarginalMemory sums
    cdef Memory memory = Memory()
    cdef int n = <int> scores.shape[0] - 1
    cdef double[:, ::1] found = np.zeros((n + 1, n + 1))
    reserve_marginals(&sums, memory, n)
    if n:
        if projective:
            projective_marginals(&sums, &scores[0, 0], 1, n, single)
        else:
            spanning_marginals(&sums, &scores[0, 0], 1, n, single)
        memcpy(&found[0, 0], sums.marginals, (n + 1) * (n + 1) * sizeof(double))
    return found.base
