"""Features of arcs as hashes of single words.

The arrays come from `headway.features.arcs`. A template has slots of up to four roles: values of the parent, the
child, the sibling, a word in between. Its key is the exclusive or of one hash for each role, so that hashes are made
once for each word and only combined for each arc.
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport NO_NODE, THE_ROOT, Words, mix
from headway.kernels.memory cimport Memory

cdef enum:
    PARENT, CHILD, SIBLING, BETWEEN, ROLES

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
    const ArcFeatures* arcs
    Words words
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


cdef inline int reserve_hashes(Hashes* hashes, Memory memory, const ArcFeatures* arcs, int longest) except -1:
    """Room for sentences of up to `longest` words."""
    cdef size_t rows = longest + 2, between = arcs.group[WITH_BETWEEN + 1] - arcs.group[WITH_BETWEEN]
    cdef int r
    hashes.arcs, hashes.room = arcs, longest
    for r in range(ROLES):
        hashes.role[r] = <uint64_t*> memory.take(rows * arcs.templates, sizeof(uint64_t))
    hashes.parent = <float*> memory.take(rows * CLASSES, sizeof(float))
    hashes.child = <float*> memory.take(rows * CLASSES, sizeof(float))
    hashes.pairs = <double*> memory.take(rows * (rows + 2) if arcs.siblings else 0, sizeof(double))
    hashes.partial = <uint64_t*> memory.take(arcs.templates, sizeof(uint64_t))
    hashes.distinct = <uint64_t*> memory.take(between * rows, sizeof(uint64_t))
    hashes.count = <int*> memory.take(between * (rows + 1), sizeof(int))
    hashes.child_values = <uint64_t*> memory.take(between * rows, sizeof(uint64_t))
    hashes.child_value = <int*> memory.take(between * rows, sizeof(int))
    hashes.child_count = <int*> memory.take(between, sizeof(int))
    hashes.far = <float*> memory.take(between * rows, sizeof(float))
    return 0


cdef inline uint64_t hash_of(const ArcFeatures* arcs, const Words* words, int t, int role, int word) noexcept nogil:
    """What one word gives to the key of a template; word n + 1 is none."""
    cdef int i, place
    cdef uint64_t key = mix(arcs.seed[t], role + 1)
    cdef const int* slot
    for i in range(arcs.start[ROLES * t + role], arcs.start[ROLES * t + role + 1]):
        slot = arcs.slot + 2 * i
        if slot[0] < 0:
            continue
        place = word + slot[1]
        if word > words.n or (word == 0 and slot[1] != 0) or (word > 0 and place < 1) or place > words.n:
            key = mix(key, NO_NODE)
        elif place == 0:
            key = mix(key, THE_ROOT)
        else:
            key = mix(key, words.keys[<size_t> (place - 1) * arcs.columns + slot[0]])
    return key


cdef inline void prepare(Hashes* hashes, const Words* words) noexcept nogil:
    """Hash the words of a sentence for every template and role. Linear time."""
    cdef const ArcFeatures* arcs = hashes.arcs
    cdef int w, t, r, count = arcs.templates
    hashes.words = words[0]
    for t in range(count):
        for r in range(ROLES):
            if arcs.start[ROLES * t + r] == arcs.start[ROLES * t + r + 1] and not (r == PARENT and t < arcs.group[1]):
                for w in range(words.n + 2):
                    hashes.role[r][w * count + t] = 0
            else:
                for w in range(words.n + 2):
                    hashes.role[r][w * count + t] = hash_of(arcs, words, t, r, w)
    for t in range(arcs.group[WITH_BETWEEN], arcs.group[WITH_BETWEEN + 1]):
        number_children(hashes, t)


cdef inline void number_children(Hashes* hashes, int t) noexcept nogil:
    """Number the different values that children have for a template with words in between."""
    cdef int w, i, b = t - hashes.arcs.group[WITH_BETWEEN], rows = hashes.room + 2, found = 0
    cdef uint64_t* values = hashes.child_values + b * rows
    cdef uint64_t value
    for w in range(1, hashes.words.n + 1):
        value = hashes.role[CHILD][w * hashes.arcs.templates + t]
        i = 0
        while i < found and values[i] != value:
            i += 1
        if i == found:
            values[i] = value
            found += 1
        hashes.child_value[b * rows + w] = i
    hashes.child_count[b] = found


cdef inline uint64_t* hashes_of(const Hashes* hashes, int role, int word) noexcept nogil:
    """What a word gives to the key of each template."""
    return hashes.role[role] + <Py_ssize_t> word * hashes.arcs.templates
