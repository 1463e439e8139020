"""Prediction of support-vector machines on binary features, as LIBSVM does it: one against one, by votes."""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from headway.kernels.memory cimport Memory


cdef int found(const uint64_t* keys, long long count, uint64_t key) noexcept nogil:
    """Where a key stands among sorted ones, or -1."""
    cdef long long low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return <int> low if low < count and keys[low] == key else -1


cdef void share(
    const uint64_t* features, long long feature_count, const long long* posting_start, const int* postings,
    const uint64_t* keys, int key_count, int* places, uint16_t* shared,
) noexcept nogil:
    """Add to `shared[v]` how many features a configuration has in common with support vector v."""
    cdef int i, j, place
    cdef long long at
    for i in range(key_count):
        places[i] = place = found(features, feature_count, keys[i])
        for j in range(i):
            if places[j] == place:
                place = -1
                break
        if place >= 0:
            for at in range(posting_start[place], posting_start[place + 1]):
                shared[postings[at]] += 1


def votes(
    const double[::1] power, const long long[:, ::1] bounds, const uint64_t[::1] features,
    const long long[::1] posting_start, const int[::1] postings, const long long[::1] vector_start,
    const int[::1] pairs, const double[::1] coefficients, const double[::1] intercepts, const int[::1] members,
    const int[::1] machines, const long long[::1] order, const long long[::1] start, const uint64_t[::1] keys,
    float[:, ::1] scores, float[:, ::1] sums,
):
    """Write to `scores[i, class]` the votes for the classes that machine `machines[i]` knows.

    Machine m has the features, vectors, pairs of classes and classes from `bounds[m]` to `bounds[m + 1]`; support
    vectors are there as lists of those that have a feature (`postings`, numbered within the machine), and each has its
    coefficients for the pairs it matters to. `power[n]` is the kernel of two vectors with n features in common.
    Configuration i has the features keys[start[i] : start[i + 1]]; those of a machine should be neighbours in `order`.

    `sums[i, class]` gets the mean of what its decisions say for the class, each cut off at 1 and -1: votes that know
    how clear they were.

    Sums run in the order of LIBSVM, so that they round as there; of classes with as many votes the first wins.
    """
    cdef long long i, row, e, v, vectors, most = 1
    cdef int m, a, b, classes, pair
    cdef long long widest = 1, most_pairs = 1
    cdef double value
    cdef const long long* low
    cdef const long long* high
    cdef const long long* own
    for i in range(bounds.shape[0] - 1):
        widest = max(widest, bounds[i + 1, 1] - bounds[i, 1])
        most_pairs = max(most_pairs, bounds[i + 1, 2] - bounds[i, 2])
    for i in range(order.shape[0]):
        most = max(most, start[i + 1] - start[i])
    cdef Memory memory = Memory()
    cdef uint16_t* shared = <uint16_t*> memory.take(widest, sizeof(uint16_t))
    cdef double* decision = <double*> memory.take(most_pairs, sizeof(double))
    cdef int* places = <int*> memory.take(most, sizeof(int))
    with nogil:
        for i in range(order.shape[0]):
            row = order[i]
            m = machines[row]
            low, high = &bounds[m, 0], &bounds[m + 1, 0]
            vectors = high[1] - low[1]
            memset(shared, 0, vectors * sizeof(uint16_t))
            memset(decision, 0, (high[2] - low[2]) * sizeof(double))
            share(
                &features[0] + low[0], high[0] - low[0], &posting_start[0] + low[0], &postings[0],
                &keys[0] + start[row], <int> (start[row + 1] - start[row]), places, shared,
            )
            own = &vector_start[0] + low[1]
            for v in range(vectors):
                value = power[shared[v]]
                if value != 0:
                    for e in range(own[v], own[v + 1]):
                        decision[pairs[e]] += coefficients[e] * value
            classes = <int> (high[3] - low[3])
            for a in range(classes):
                scores[row, members[low[3] + a]] = sums[row, members[low[3] + a]] = 0
            pair = 0
            for a in range(classes):
                for b in range(a + 1, classes):
                    value = decision[pair] + intercepts[low[2] + pair]
                    sums[row, members[low[3] + a]] += <float> min(1.0, max(-1.0, value)) / classes
                    sums[row, members[low[3] + b]] -= <float> min(1.0, max(-1.0, value)) / classes
                    if value > 0:
                        scores[row, members[low[3] + a]] += 1
                    else:
                        scores[row, members[low[3] + b]] += 1
                    pair += 1
