"""See hashes.pxd."""

from libc.stdint cimport uint64_t

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


cdef int reserve_hashes(Hashes* hashes, Memory memory, const ArcFeatures* arcs, int longest) except -1:
    """Room for sentences of up to `longest` words."""
    cdef size_t rows = longest + 2, between = arcs.group[WITH_BETWEEN + 1] - arcs.group[WITH_BETWEEN]
    cdef int r
    hashes.room = longest
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
