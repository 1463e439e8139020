"""Learning from whole trees: how far weights move so that a right tree beats wrong ones.

With δ = F(right) − F(wrong), the difference of the features of two trees, a learner moves along Σδ as rules.pxd says.
Features that both trees have cancel out, and what falls on the same weight counts together, so that ‖δ‖² is exact.
"""

from headway.kernels.weights.rules cimport Rule


cdef struct HashedWeights:
    float* weights
    float* sums         # for averaging, NULL where there is none
    float* variances    # NULL where there are none


cdef struct Delta:      # a sparse vector of whole numbers
    int size            # slots of the hash table, a power of two
    int used
    int* index          # of each slot, -1 where it is free
    int* count
    bint failed         # memory was short


cdef bint reserve_delta(Delta* delta) noexcept nogil
cdef void release_delta(Delta* delta) noexcept nogil
cdef void clear_delta(Delta* delta) noexcept nogil
cdef void grow_delta(Delta* delta) noexcept nogil


cdef inline void add_to(Delta* delta, int index, int count) noexcept nogil:
    """Add to one entry."""
    cdef unsigned int at = (<unsigned int> index * 2654435769u) & (delta.size - 1)
    while delta.index[at] != index and delta.index[at] >= 0:
        at = (at + 1) & (delta.size - 1)
    if delta.index[at] < 0:
        delta.index[at] = index
        delta.count[at] = 0
        delta.used += 1
    delta.count[at] += count
    if 2 * delta.used > delta.size:
        grow_delta(delta)


cdef double margin_of(const HashedWeights* learned, const Delta* delta, double* variance) noexcept nogil
cdef bint learn_one(
    HashedWeights* learned, const Delta* delta, const Rule* rule, double loss, double beyond, double time
) noexcept nogil
cdef int learn_all(
    HashedWeights* learned, const Delta* deltas, const double* losses, int count, double* space, double time
) noexcept nogil
