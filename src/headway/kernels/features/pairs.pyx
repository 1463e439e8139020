"""Features of pairs of words: the first of the two, the second, and the words between them.

The arrays come from `headway.features.pairs`. Nodes of all sentences are counted on: a sentence of n words has n + 1,
the first of them its root. A template's key is the exclusive or of one hash for each role that it looks at, so that
hashes are made once for each node and only combined for each pair; it is then mixed with the part that the pair
belongs to. A template with words in between has a key for each different value that they have.
"""

from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.features.lookup cimport Lookup, add_weights
from headway.kernels.features.templates cimport NO_NODE, THE_ROOT, length_class, mix

cdef enum:
    FIRST, SECOND, BETWEEN, ROLES

cdef enum:
    FROM_ROOT = 8           # beside the classes of lengths
    MOST_VALUES = 64        # of words in between that are told apart, for each template
    OF_ALL = 0x7f4a7c15     # seeds of what is not in the feature model: the constant, the parts
    OF_PART = 0x3c6ef372
    MEASURED = 0x1b873593


cdef struct PairFeatures:
    int templates
    const int* with_distance
    const int* with_between
    size_t stride               # from the hashes of one role to those of the next
    const uint64_t* hashes      # [role, node, template]
    const int* position         # of each node in its sentence; 0 for the root
    const uint64_t* tag         # of each node
    bint partitioned            # by the tags of both nodes; one part where not


ROLE_NUMBERS = {"FIRST": FIRST, "SECOND": SECOND, "BETWEEN": BETWEEN}


def hash_nodes(
    const int[::1] start, const int[:, ::1] slot, const uint64_t[::1] seed, const uint64_t[:, ::1] keys,
    const int[::1] offsets, uint64_t[:, :, ::1] hashes,
):
    """Hash all nodes of the sentences offsets[s] : offsets[s + 1] for every role and template.

    Role r of template t has the slots start[ROLES × t + r] : start[ROLES × t + r + 1], each a column of `keys` and an
    offset in the sentence. A role without slots has the hash 0.
    """
    cdef int s, w, n, r, t, i, place, first
    cdef uint64_t key
    cdef Py_ssize_t node = 0
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            first, n = offsets[s], offsets[s + 1] - offsets[s]
            for w in range(n + 1):
                for r in range(ROLES):
                    for t in range(<int> seed.shape[0]):
                        if start[ROLES * t + r] == start[ROLES * t + r + 1]:
                            hashes[r, node, t] = 0
                            continue
                        key = mix(seed[t], r + 1)
                        for i in range(start[ROLES * t + r], start[ROLES * t + r + 1]):
                            place = w + slot[i, 1]
                            if place < 0 or place > n:
                                key = mix(key, NO_NODE)
                            elif place == 0:
                                key = mix(key, THE_ROOT)
                            else:
                                key = mix(key, keys[first + place - 1, slot[i, 0]])
                        hashes[r, node, t] = key
                node += 1


cdef inline uint64_t part_of(const PairFeatures* pairs, int first, int second) noexcept nogil:
    return mix(mix(OF_PART, pairs.tag[first]), pairs.tag[second]) if pairs.partitioned else OF_PART


cdef inline int measured(const PairFeatures* pairs, int first, int second) noexcept nogil:
    """The class of the distance of two nodes, or FROM_ROOT."""
    return length_class(second - first) if pairs.position[first] else FROM_ROOT


cdef int most_keys(const PairFeatures* pairs) noexcept nogil:
    """How many keys a pair has at most."""
    cdef int t, most = 1
    for t in range(pairs.templates):
        most += MOST_VALUES if pairs.with_between[t] else 1
    return most


cdef inline void originate(int* origin, int count, int template, int word) noexcept nogil:
    if origin != NULL:
        origin[2 * count], origin[2 * count + 1] = template, word


cdef int keys_of(
    const PairFeatures* pairs, int first, int second, uint64_t part, uint64_t* keys, int* origin
) noexcept nogil:
    """Write the keys of a pair, each once, and return how many there are; the first is that of its part.

    Where `origin` is not NULL it gets two numbers for each key: its template, or -1, and the word in between, or -1.
    """
    cdef const uint64_t* one = pairs.hashes + <size_t> first * pairs.templates
    cdef const uint64_t* two = pairs.hashes + pairs.stride + <size_t> second * pairs.templates
    cdef const uint64_t* between
    cdef uint64_t key, other, length = mix(MEASURED, measured(pairs, first, second))
    cdef int t, i, k, begin, count = 1
    keys[0] = mix(OF_ALL, part)
    originate(origin, 0, -1, -1)
    for t in range(pairs.templates):
        key = one[t] ^ two[t]
        if pairs.with_distance[t]:
            key ^= length
        if not pairs.with_between[t]:
            keys[count] = mix(key, part)
            originate(origin, count, t, -1)
            count += 1
            continue
        begin = count
        for i in range(first + 1, second):
            between = pairs.hashes + 2 * pairs.stride + <size_t> i * pairs.templates
            other = mix(key ^ between[t], part)
            k = begin
            while k < count and keys[k] != other:
                k += 1
            if k == count and count < begin + MOST_VALUES:
                keys[count] = other
                originate(origin, count, t, i)
                count += 1
    return count


cdef class PairTable:
    """Hashed nodes, and what is asked about pairs of them."""

    cdef PairFeatures pairs
    cdef object keep

    def __init__(
        self, const int[::1] with_distance, const int[::1] with_between, const uint64_t[:, :, ::1] hashes,
        const int[::1] position, const uint64_t[::1] tag, bint partitioned,
    ):
        self.pairs.templates = <int> with_distance.shape[0]
        self.pairs.with_distance, self.pairs.with_between = &with_distance[0], &with_between[0]
        self.pairs.stride = <size_t> hashes.shape[1] * hashes.shape[2]
        self.pairs.hashes, self.pairs.position = &hashes[0, 0, 0], &position[0]
        self.pairs.tag, self.pairs.partitioned = &tag[0], partitioned
        self.keep = (with_distance, with_between, hashes, position, tag)

    def parts(self, const int[::1] first, const int[::1] second, uint64_t[::1] parts):
        """Write the part of each pair of nodes."""
        cdef Py_ssize_t e
        with nogil:
            for e in range(first.shape[0]):
                parts[e] = part_of(&self.pairs, first[e], second[e])

    def count(self, const int[::1] first, const int[::1] second, int[::1] counts):
        """Write how many keys each pair has."""
        cdef Py_ssize_t e
        cdef int t
        cdef bint varies = False
        cdef uint64_t[::1] keys = np.empty(most_keys(&self.pairs), np.uint64)
        with nogil:
            for t in range(self.pairs.templates):
                varies = varies or self.pairs.with_between[t] != 0
            for e in range(first.shape[0]):
                counts[e] = self.pairs.templates + 1
                if varies:
                    counts[e] = keys_of(&self.pairs, first[e], second[e], 0, &keys[0], NULL)

    def write(self, const int[::1] first, const int[::1] second, const long long[::1] start, uint64_t[::1] keys):
        """Write the keys of each pair from its start on."""
        cdef Py_ssize_t e
        with nogil:
            for e in range(first.shape[0]):
                keys_of(
                    &self.pairs, first[e], second[e], part_of(&self.pairs, first[e], second[e]), &keys[start[e]], NULL
                )

    def listed(self, int first, int second):
        """The keys of one pair, and for each its template and the word in between, -1 where there is none."""
        cdef int most = most_keys(&self.pairs), count
        cdef uint64_t[::1] keys = np.empty(most, np.uint64)
        cdef int[:, ::1] origin = np.empty((most, 2), np.int32)
        count = keys_of(&self.pairs, first, second, part_of(&self.pairs, first, second), &keys[0], &origin[0, 0])
        return keys.base[:count], origin.base[:count]

    def score(
        self, Lookup known, const long long[::1] start, const int[::1] classes, const float[::1] weights,
        const int[::1] offsets, double[:, ::1] scores,
    ):
        """Add up the weights of all pairs: `scores` has a row for each cell (a, b) of one sentence after the other.

        Feature f of the model, by its number in `known`, has weights[start[f] : start[f + 1]] for as many `classes`.
        """
        cdef int s, a, b, n, i, count, node = 0
        cdef Py_ssize_t base = 0
        cdef double* cell
        cdef uint64_t[::1] keys = np.empty(most_keys(&self.pairs), np.uint64)
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                n = offsets[s + 1] - offsets[s]
                for a in range(n + 1):
                    for b in range(a + 1, n + 1):
                        cell = &scores[base + a * (n + 1) + b, 0]
                        count = keys_of(
                            &self.pairs, node + a, node + b, part_of(&self.pairs, node + a, node + b), &keys[0], NULL
                        )
                        for i in range(count):
                            add_weights(&known.slots, keys[i], start, classes, weights, cell)
                node += n + 1
                base += <Py_ssize_t> (n + 1) * (n + 1)


def pairs_of(const int[::1] offsets, const int[::1] heads, int[::1] first, int[::1] second, int[::1] target):
    """Write all pairs of nodes of a treebank in the order (0, 1), (0, 2), …, (1, 2), …, and the class of each.

    Classes are 0 where neither is the head of the other, 1 where the second is the head, 2 where the first is.
    """
    cdef int s, a, b, n, node = 0
    cdef Py_ssize_t e = 0
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            for a in range(n + 1):
                for b in range(a + 1, n + 1):
                    first[e], second[e] = node + a, node + b
                    target[e] = 0
                    if heads[offsets[s] + b - 1] == a:
                        target[e] = 2
                    elif a > 0 and heads[offsets[s] + a - 1] == b:
                        target[e] = 1
                    e += 1
            node += n + 1


def states_of(
    const int[::1] offsets, const int[::1] heads, int[:, ::1] children, int[:, ::1] previous, int[:, ::1] first,
):
    """What each of the two nodes of each pair of `pairs_of` has: column 0 is about the first, column 1 the second.

    How many children in between; which of them is nearest to the other; its first child, which is the nearest on its
    right for the second node, or else the nearest in between; -1 where there is no such child.
    """
    cdef int s, a, b, n, count, last, nearest, node = 0
    cdef Py_ssize_t e, base = 0
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            for a in range(n + 1):
                count, last, nearest = 0, -1, -1
                for b in range(a + 1, n + 1):
                    e = base + <Py_ssize_t> a * n - <Py_ssize_t> a * (a - 1) // 2 + b - a - 1
                    children[e, 0], previous[e, 0], first[e, 0] = count, last, nearest
                    if heads[offsets[s] + b - 1] == a:
                        count += 1
                        last = node + b
                        nearest = last if nearest < 0 else nearest
            for b in range(1, n + 1):
                count, last, nearest = 0, -1, nearest_right(&heads[offsets[s]], n, b)
                nearest = node + nearest if nearest else -1
                for a in range(b - 1, -1, -1):
                    e = base + <Py_ssize_t> a * n - <Py_ssize_t> a * (a - 1) // 2 + b - a - 1
                    children[e, 1], previous[e, 1], first[e, 1] = count, last, nearest
                    if a > 0 and heads[offsets[s] + a - 1] == b:
                        count += 1
                        last = node + a
                        nearest = last if nearest < 0 else nearest
            node += n + 1
            base += <Py_ssize_t> n * (n + 1) // 2


cdef inline int nearest_right(const int* heads, int n, int word) noexcept nogil:
    """The nearest child of a word on its right, or 0."""
    cdef int child
    for child in range(word + 1, n + 1):
        if heads[child - 1] == word:
            return child
    return 0
