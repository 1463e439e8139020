"""Features of arcs as hashes of single words.

The arrays come from `headway.features.arcs`. A template has slots of up to four roles: values of the parent, the
child, the sibling, a word in between. Its key is the exclusive or of one hash for each role, so that hashes are made
once for each word and only combined for each arc.
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport Words
from headway.kernels.memory cimport Memory

cdef enum:
    PARENT = 0
    CHILD = 1
    SIBLING = 2
    BETWEEN = 3
    ROLES = 4

cdef enum:                  # groups of templates, by what has to be known for a score
    OF_PARENT = 0
    OF_CHILD = 1
    OF_BOTH = 2
    OF_FEATS = 3            # of both, for each of their morphological features
    WITH_BETWEEN = 4
    OF_SIBLINGS = 5         # of child and sibling
    OF_THREE = 6
    LAST_GROUP = 7

cdef enum:                  # with what else the values of a template count together
    PLAIN = 0
    WITH_DISTANCE = 1
    WITH_SIDE = 2
    WITH_BOTH = 3
    DIRECTED = 4            # two features: WITH_SIDE and WITH_BOTH
    KINDS = 5

cdef enum:
    CLASSES = 16            # of arcs, by length and direction: see arcs.pxd


cdef struct ArcFeatures:
    int templates
    int columns
    int shift                   # key >> shift is the number of a line
    bint siblings
    int[LAST_GROUP + 1] group       # group g has the templates group[g] : group[g + 1]
    int[KINDS + 1] run          # those OF_BOTH of kind k are run[k] : run[k + 1]
    const int* kind
    const int* start            # role r of template t has the slots start[ROLES × t + r] : start[ROLES × t + r + 1]
    const int* slot             # column, offset in the sentence
    const int* each             # of each template, a bit for each role that stands for all features of its word
    const uint64_t* seed


cdef struct Hashes:             # of one sentence
    int room
    uint64_t* role[ROLES]       # [word, template]; the last row is that of no word
    float* parent               # [word, class]: scores of what needs the parent only
    float* child
    double* pairs               # [child, sibling], and [child, side] where there is no sibling
    uint64_t* partial           # of one parent and sibling
    uint64_t* distinct          # values of the words in between, for each template, their number at the end
    int* count                  # of each value
    uint64_t* child_values      # different values of children, for each template with words in between
    int* child_value            # which of them a word has
    int* child_count
    float* far                  # scores of what stands in between by the child's value, for the longest arcs


cdef int reserve_hashes(Hashes* hashes, Memory memory, const ArcFeatures* arcs, int longest) except -1
cdef void prepare(Hashes* hashes, const ArcFeatures* arcs, const Words* words) noexcept nogil
