"""Features of pairs of words: the first of the two, the second, and the words between them.

The arrays come from `headway.features.pairs`. Nodes of all sentences are counted on: a sentence of n words has n + 1,
the first of them its root. A template's key is the exclusive or of one hash for each role that it looks at, so that
hashes are made once for each node and only combined for each pair; it is then mixed with the part that the pair
belongs to. A template with words in between has a key for each different value that they have.
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport length_class, mix

cdef enum:
    FIRST = 0
    SECOND = 1
    BETWEEN = 2
    ROLES = 3

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


cdef inline uint64_t part_of(const PairFeatures* pairs, int first, int second) noexcept nogil:
    return mix(mix(OF_PART, pairs.tag[first]), pairs.tag[second]) if pairs.partitioned else OF_PART


cdef inline int measured(const PairFeatures* pairs, int first, int second) noexcept nogil:
    """The class of the distance of two nodes, or FROM_ROOT."""
    return length_class(second - first) if pairs.position[first] else FROM_ROOT


cdef int most_keys(const PairFeatures* pairs) noexcept nogil

# Write the keys of a pair, each once, and return how many there are; the first is that of its part. Where `origin` is
# not NULL it gets two numbers for each key: its template, or -1, and the word in between, or -1.
cdef int keys_of(
    const PairFeatures* pairs, int first, int second, uint64_t part, uint64_t* keys, int* origin
) noexcept nogil


cdef class PairTable:
    cdef PairFeatures pairs
    cdef object keep
