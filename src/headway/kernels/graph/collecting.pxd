"""The features of arcs and of siblings one by one: counted for learning, or listed for explanations."""

from libc.stdint cimport uint64_t

from headway.kernels.features.hashes cimport (
    BETWEEN, CHILD, DIRECTED, OF_FEATS, OF_SIBLINGS, OF_THREE, PARENT, SIBLING, WITH_BETWEEN, ArcFeatures, Hashes,
    hashes_of,
)
from headway.kernels.features.templates cimport mix
from headway.kernels.graph.arcs cimport UNMEASURED, class_of, each_of, first_place, second_place, unmeasured
from headway.kernels.graph.structured cimport Delta, add_to

cdef enum:
    NUMBERS = 5     # of each feature that is listed


cdef struct Listing:
    int* numbers    # template, single feature or word in between of the parent, of the child, which of two, weight
    Py_ssize_t count


ctypedef fused Collection:
    Delta
    Listing


cdef inline void collect_one(
    int template, int i, int j, int second, int index, int count, Collection* found
) noexcept nogil:
    """Count a feature, or list it; where `numbers` is NULL, listed features are only counted."""
    cdef int* entry
    if Collection is Delta:
        add_to(found, index, count)
    else:
        if found.numbers != NULL:
            entry = found.numbers + NUMBERS * found.count
            entry[0], entry[1], entry[2], entry[3], entry[4] = template, i, j, second, index
        found.count += 1


cdef inline void collect(
    const ArcFeatures* arcs, uint64_t key, int t, int i, int j, int which, int count, Collection* found
) noexcept nogil:
    """Count or list the feature of a template, or its two."""
    cdef int line
    key = unmeasured(key, which)
    line = <int> ((key >> arcs.shift) << 4)
    collect_one(t, i, j, 0, line + <int> ((key + first_place(arcs.kind[t], which)) & 15), count, found)
    if arcs.kind[t] == DIRECTED:
        collect_one(t, i, j, 1, line + <int> ((key + second_place(which)) & 15), count, found)


cdef inline void collect_arc(const Hashes* hashes, int p, int c, int count, Collection* found) noexcept nogil:
    """Count the features of one arc, `count` times each, or list them."""
    cdef const ArcFeatures* arcs = hashes.arcs
    cdef const uint64_t* features = hashes.words.features
    cdef const int* feature_start = hashes.words.feature_start
    cdef int t, i, j, p_start, p_end, c_start, c_end, which = class_of(p, c) if p > 0 else UNMEASURED + 1
    cdef uint64_t parent, child, one
    for t in range(arcs.group[OF_FEATS + 1]):
        parent, child = hashes_of(hashes, PARENT, p)[t], hashes_of(hashes, CHILD, c)[t]
        each_of(hashes, t, PARENT, p, &p_start, &p_end)
        each_of(hashes, t, CHILD, c, &c_start, &c_end)
        for i in range(p_start, p_end):
            one = parent if i < 0 else mix(parent, features[i])
            for j in range(c_start, c_end):
                collect(
                    arcs, one ^ (child if j < 0 else mix(child, features[j])), t,
                    i if i < 0 else i - feature_start[p - 1], j if j < 0 else j - feature_start[c - 1],
                    which, count, found,
                )
    for t in range(arcs.group[WITH_BETWEEN], arcs.group[WITH_BETWEEN + 1]):
        one = hashes_of(hashes, PARENT, p)[t] ^ hashes_of(hashes, CHILD, c)[t]
        for i in range((p if p < c else c) + 1, p if p > c else c):
            collect(arcs, one ^ hashes_of(hashes, BETWEEN, i)[t], t, i, -1, which, count, found)


cdef inline void collect_sibling(
    const Hashes* hashes, int h, int c, int s, int count, Collection* found
) noexcept nogil:
    """Count or list the features of a child beside its sibling; s = h where there is none."""
    cdef int t, which = class_of(s, c) if s != h else UNMEASURED + (c > h)
    cdef const uint64_t* sibling = hashes_of(hashes, SIBLING, s if s != h else hashes.words.n + 1)
    for t in range(hashes.arcs.group[OF_SIBLINGS], hashes.arcs.group[OF_THREE + 1]):
        collect(
            hashes.arcs, hashes_of(hashes, PARENT, h)[t] ^ hashes_of(hashes, CHILD, c)[t] ^ sibling[t], t, -1, -1,
            which, count, found,
        )
