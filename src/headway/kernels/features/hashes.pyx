"""See hashes.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from headway.kernels.features.templates cimport NO_NODE, THE_ROOT, Words, mix

GROUPS = {
    "parent": OF_PARENT,
    "child": OF_CHILD,
    "both": OF_BOTH,
    "feats": OF_FEATS,
    "between": WITH_BETWEEN,
    "siblings": OF_SIBLINGS,
    "three": OF_THREE,
}
KIND_NUMBERS = {"plain": PLAIN, "distance": WITH_DISTANCE, "side": WITH_SIDE, "both": WITH_BOTH, "directed": DIRECTED}


cdef bint reserve_hashes(Hashes* hashes, const ArcFeatures* arcs, int longest) noexcept nogil:
    """Room for sentences of up to `longest` words; False where memory is short. All zeros before the first call."""
    cdef size_t rows = longest + 2, count = arcs.templates
    cdef int r
    cdef int between = arcs.group[WITH_BETWEEN + 1] - arcs.group[WITH_BETWEEN]
    if hashes.room >= longest:
        return True
    release_hashes(hashes)
    for r in range(ROLES):
        hashes.role[r] = <uint64_t*> calloc(rows * count + 1, sizeof(uint64_t))
    hashes.parent = <float*> malloc(rows * CLASSES * sizeof(float))
    hashes.child = <float*> malloc(rows * CLASSES * sizeof(float))
    hashes.pairs = <double*> malloc(rows * (rows + 2) * sizeof(double)) if arcs.siblings else NULL
    hashes.partial = <uint64_t*> malloc((count + 1) * sizeof(uint64_t))
    hashes.distinct = <uint64_t*> malloc((between * rows + 1) * sizeof(uint64_t))
    hashes.count = <int*> malloc((between * (rows + 1) + 1) * sizeof(int))
    hashes.child_values = <uint64_t*> malloc((between * rows + 1) * sizeof(uint64_t))
    hashes.child_value = <int*> malloc((between * rows + 1) * sizeof(int))
    hashes.child_count = <int*> malloc((between + 1) * sizeof(int))
    hashes.far = <float*> malloc((between * rows + 1) * sizeof(float))
    if (
        hashes.role[0] == NULL or hashes.role[1] == NULL or hashes.role[2] == NULL or hashes.role[3] == NULL
        or hashes.parent == NULL or hashes.child == NULL or (arcs.siblings and hashes.pairs == NULL)
        or hashes.partial == NULL or hashes.distinct == NULL or hashes.count == NULL
        or hashes.child_values == NULL or hashes.child_value == NULL or hashes.child_count == NULL
        or hashes.far == NULL
    ):
        release_hashes(hashes)
        return False
    hashes.room = longest
    return True


cdef void release_hashes(Hashes* hashes) noexcept nogil:
    """Free what has been reserved."""
    cdef int r
    for r in range(ROLES):
        free(hashes.role[r])
    free(hashes.parent)
    free(hashes.child)
    free(hashes.pairs)
    free(hashes.partial)
    free(hashes.distinct)
    free(hashes.count)
    free(hashes.child_values)
    free(hashes.child_value)
    free(hashes.child_count)
    free(hashes.far)
    memset(hashes, 0, sizeof(Hashes))


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


cdef void prepare(Hashes* hashes, const ArcFeatures* arcs, const Words* words) noexcept nogil:
    """Hash the words of a sentence for every template and role. Linear time."""
    cdef int w, t, r, count = arcs.templates
    for t in range(count):
        for r in range(ROLES):
            if arcs.start[ROLES * t + r] == arcs.start[ROLES * t + r + 1] and not (r == PARENT and t < arcs.group[1]):
                for w in range(words.n + 2):
                    hashes.role[r][w * count + t] = 0
            else:
                for w in range(words.n + 2):
                    hashes.role[r][w * count + t] = hash_of(arcs, words, t, r, w)
    for t in range(arcs.group[WITH_BETWEEN], arcs.group[WITH_BETWEEN + 1]):
        number_children(hashes, arcs, words, t)


cdef void number_children(Hashes* hashes, const ArcFeatures* arcs, const Words* words, int t) noexcept nogil:
    """Number the different values that children have for a template with words in between."""
    cdef int w, i, b = t - arcs.group[WITH_BETWEEN], rows = hashes.room + 2, found = 0
    cdef uint64_t* values = hashes.child_values + b * rows
    cdef uint64_t value
    for w in range(1, words.n + 1):
        value = hashes.role[CHILD][w * arcs.templates + t]
        i = 0
        while i < found and values[i] != value:
            i += 1
        if i == found:
            values[i] = value
            found += 1
        hashes.child_value[b * rows + w] = i
    hashes.child_count[b] = found
