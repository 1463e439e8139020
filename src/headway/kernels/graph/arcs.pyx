"""See arcs.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from headway.kernels.features.hashes cimport (
    BETWEEN, CHILD, CLASSES, DIRECTED, KINDS, OF_CHILD, OF_FEATS, OF_PARENT, OF_SIBLINGS, OF_THREE, PARENT,
    SIBLING, WITH_BETWEEN, ArcFeatures, Hashes,
)
from headway.kernels.graph.structured cimport Delta, add_to
from headway.kernels.features.templates cimport Words, mix


cdef void score_alone(
    Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, int role, float* scores
) noexcept nogil:
    """Scores of what needs one word only, for every class of arcs: once for each word."""
    cdef int w, t, a, i, group = OF_PARENT if role == PARENT else OF_CHILD
    cdef uint64_t key
    cdef float* row
    memset(scores, 0, (words.n + 1) * CLASSES * sizeof(float))
    for w in range(words.n + 1):
        row = scores + w * CLASSES
        for t in range(arcs.group[group], arcs.group[group + 1]):
            key = hashes.role[role][w * arcs.templates + t]
            if not arcs.each[t]:
                for a in range(CLASSES):
                    row[a] += value_of(weights, arcs.shift, key, arcs.kind[t], a)
            elif w > 0:
                for i in range(words.feature_start[w - 1], words.feature_start[w]):
                    for a in range(CLASSES):
                        row[a] += value_of(weights, arcs.shift, mix(key, words.features[i]), arcs.kind[t], a)


cdef inline float score_both(
    const Hashes* hashes, const ArcFeatures* arcs, const Weight* weights, int p, int c, int which
) noexcept nogil:
    """The score of what needs both words of an arc."""
    cdef const uint64_t* parent = hashes.role[PARENT] + p * arcs.templates
    cdef const uint64_t* child = hashes.role[CHILD] + c * arcs.templates
    cdef const Weight* line
    cdef uint64_t key, salt = unmeasured(0, which)
    cdef int k, t, first, second
    cdef float total = 0
    for k in range(KINDS):
        first = first_place(k, which)
        second = second_place(which)
        if k == DIRECTED:
            for t in range(arcs.run[k], arcs.run[k + 1]):
                key = parent[t] ^ child[t] ^ salt
                line = weights + ((key >> arcs.shift) << 4)
                total += <float> line[(key + first) & 15] + line[(key + second) & 15]
        else:
            for t in range(arcs.run[k], arcs.run[k + 1]):
                key = parent[t] ^ child[t] ^ salt
                line = weights + ((key >> arcs.shift) << 4)
                total += line[(key + first) & 15]
    return total


cdef inline float score_feats(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, int p, int c, int which
) noexcept nogil:
    """The score of what needs both words and stands for each of their morphological features."""
    cdef int t, i, j, p_start, p_end, c_start, c_end
    cdef uint64_t parent, child, one
    cdef float total = 0
    for t in range(arcs.group[OF_FEATS], arcs.group[OF_FEATS + 1]):
        parent = hashes.role[PARENT][p * arcs.templates + t]
        child = hashes.role[CHILD][c * arcs.templates + t]
        each_of(arcs, words, t, PARENT, p, &p_start, &p_end)
        each_of(arcs, words, t, CHILD, c, &c_start, &c_end)
        for i in range(p_start, p_end):
            one = parent if i < 0 else mix(parent, words.features[i])
            for j in range(c_start, c_end):
                total += value_of(
                    weights, arcs.shift, one ^ (child if j < 0 else mix(child, words.features[j])), arcs.kind[t], which
                )
    return total


cdef inline void clear_between(Hashes* hashes, const ArcFeatures* arcs) noexcept nogil:
    """No word in between yet."""
    cdef int b, i, rows = hashes.room + 2
    for b in range(arcs.group[WITH_BETWEEN + 1] - arcs.group[WITH_BETWEEN]):
        hashes.count[b * (rows + 1) + rows] = 0
        for i in range(hashes.child_count[b]):
            hashes.far[b * rows + i] = 0


cdef inline void enter_near(Hashes* hashes, const ArcFeatures* arcs, int word) noexcept nogil:
    """One more word in between, for short arcs: count its value of each template."""
    cdef int b, i, first = arcs.group[WITH_BETWEEN], rows = hashes.room + 2
    cdef uint64_t value
    cdef uint64_t* distinct
    cdef int* count
    for b in range(arcs.group[WITH_BETWEEN + 1] - first):
        value = hashes.role[BETWEEN][word * arcs.templates + first + b]
        distinct, count = hashes.distinct + b * rows, hashes.count + b * (rows + 1)
        i = 0
        while i < count[rows] and distinct[i] != value:
            i += 1
        if i == count[rows]:
            distinct[i] = value
            count[i] = 0
            count[rows] += 1
        count[i] += 1


cdef inline float score_near(
    const Hashes* hashes, const ArcFeatures* arcs, const Weight* weights, int p, int c, int which
) noexcept nogil:
    """The score of what stands between the words of a short arc, by its different values."""
    cdef int t, i, b, rows = hashes.room + 2, first = arcs.group[WITH_BETWEEN]
    cdef uint64_t key
    cdef float total = 0
    for t in range(first, arcs.group[WITH_BETWEEN + 1]):
        b = t - first
        key = hashes.role[PARENT][p * arcs.templates + t] ^ hashes.role[CHILD][c * arcs.templates + t]
        for i in range(hashes.count[b * (rows + 1) + rows]):
            total += hashes.count[b * (rows + 1) + i] * value_of(
                weights, arcs.shift, key ^ hashes.distinct[b * rows + i], arcs.kind[t], which
            )
    return total


cdef inline void enter_far(
    Hashes* hashes, const ArcFeatures* arcs, const Weight* weights, int p, int word, int which
) noexcept nogil:
    """One more word in between, for arcs whose class no longer changes: add its scores for every value of a child."""
    cdef int t, i, b, rows = hashes.room + 2, first = arcs.group[WITH_BETWEEN]
    cdef uint64_t key
    for t in range(first, arcs.group[WITH_BETWEEN + 1]):
        b = t - first
        key = hashes.role[PARENT][p * arcs.templates + t] ^ hashes.role[BETWEEN][word * arcs.templates + t]
        for i in range(hashes.child_count[b]):
            hashes.far[b * rows + i] += value_of(
                weights, arcs.shift, key ^ hashes.child_values[b * rows + i], arcs.kind[t], which
            )


cdef inline float score_far(const Hashes* hashes, const ArcFeatures* arcs, int c) noexcept nogil:
    """The score of what stands between the words of a long arc, or one from the root."""
    cdef int b, rows = hashes.room + 2
    cdef float total = 0
    for b in range(arcs.group[WITH_BETWEEN + 1] - arcs.group[WITH_BETWEEN]):
        total += hashes.far[b * rows + hashes.child_value[b * rows + c]]
    return total


cdef void score_arcs(
    Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, double* scores
) noexcept nogil:
    """Scores of all arcs of a sentence that has been prepared: scores[parent × (n + 1) + child].

    Time grows with the square of the length, for features of words in between times the different values of children.
    """
    cdef int n = words.n, p, c, step, which, far
    cdef bint near, has_far
    cdef float total
    score_alone(hashes, arcs, words, weights, PARENT, hashes.parent)
    score_alone(hashes, arcs, words, weights, CHILD, hashes.child)
    for p in range(n + 1):
        for step in range(-1, 2, 2):
            clear_between(hashes, arcs)
            far = FAR + (step > 0) if p > 0 else UNMEASURED + 1
            has_far = p == 0 or (n - p if step > 0 else p - 1) > NEAR
            c = p + step
            while 1 <= c <= n:
                near = p > 0 and (c - p) * step <= NEAR
                which = class_of(p, c) if near else far
                total = hashes.parent[p * CLASSES + which] + hashes.child[c * CLASSES + which]
                total += score_both(hashes, arcs, weights, p, c, which)
                if arcs.group[OF_FEATS] < arcs.group[OF_FEATS + 1]:
                    total += score_feats(hashes, arcs, words, weights, p, c, which)
                total += score_near(hashes, arcs, weights, p, c, which) if near else score_far(hashes, arcs, c)
                scores[p * (n + 1) + c] = total
                if near:
                    enter_near(hashes, arcs, c)
                if has_far:
                    enter_far(hashes, arcs, weights, p, c, far)
                c += step


cdef inline float score_group(
    const ArcFeatures* arcs, const Weight* weights, int group, const uint64_t* some, const uint64_t* others, int which
) noexcept nogil:
    """The score of a group's templates whose keys are made of two parts."""
    cdef int t
    cdef float total = 0
    for t in range(arcs.group[group], arcs.group[group + 1]):
        total += value_of(weights, arcs.shift, some[t] ^ others[t], arcs.kind[t], which)
    return total


cdef void score_siblings(
    Hashes* hashes, const ArcFeatures* arcs, const Words* words, const Weight* weights, double* siblings
) noexcept nogil:
    """Scores of children beside the next sibling nearer to the head, in the layout of eisner.pxd.

    What does not need the head is scored once for each pair of words.
    """
    cdef int n = words.n, rows = n + 1, count = arcs.templates, h, c, s, step, t, which
    cdef const uint64_t* parent
    cdef const uint64_t* child
    cdef const uint64_t* sibling
    cdef uint64_t* partial = hashes.partial
    cdef double* pairs = hashes.pairs
    for c in range(1, n + 1):
        child = hashes.role[CHILD] + c * count
        for s in range(1, n + 1):
            if s != c:
                sibling = hashes.role[SIBLING] + s * count
                pairs[c * rows + s] = score_group(arcs, weights, OF_SIBLINGS, child, sibling, class_of(s, c))
        sibling = hashes.role[SIBLING] + (n + 1) * count
        for which in range(2):
            pairs[rows * rows + 2 * c + which] = score_group(
                arcs, weights, OF_SIBLINGS, child, sibling, UNMEASURED + which
            )
    for h in range(rows):
        parent = hashes.role[PARENT] + h * count
        for step in range(-1, 2, 2):
            s = h
            while 0 <= s <= n and (s > 0 or h == 0):
                sibling = hashes.role[SIBLING] + (s if s != h else n + 1) * count
                for t in range(arcs.group[OF_THREE], arcs.group[OF_THREE + 1]):
                    partial[t] = parent[t] ^ sibling[t]
                c = s + step
                while 1 <= c <= n:
                    child = hashes.role[CHILD] + c * count
                    which = class_of(s, c) if s != h else UNMEASURED + (c > h)
                    siblings[(h * rows + c) * rows + s] = (
                        score_group(arcs, weights, OF_THREE, partial, child, which)
                        + (pairs[c * rows + s] if s != h else pairs[rows * rows + 2 * c + (c > h)])
                    )
                    c += step
                s += step


cdef void put(Listing* found, int template, int i, int j, int second, int index) noexcept nogil:
    cdef int* larger
    cdef int* entry
    if found.count == found.room:
        found.room = 2 * found.room + 256
        larger = <int*> realloc(found.numbers, NUMBERS * found.room * sizeof(int))
        if larger == NULL:
            found.failed, found.room = True, found.count
            return
        found.numbers = larger
    entry = found.numbers + NUMBERS * found.count
    entry[0], entry[1], entry[2], entry[3], entry[4] = template, i, j, second, index
    found.count += 1


cdef inline void collect_one(
    int template, int i, int j, int second, int index, int count, Collection* found
) noexcept nogil:
    if Collection is Delta:
        add_to(found, index, count)
    else:
        put(found, template, i, j, second, index)


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


cdef void collect_arc(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int p, int c, int count, Collection* found
) noexcept nogil:
    """Count the features of one arc, `count` times each, or list them."""
    cdef int t, i, j, p_start, p_end, c_start, c_end, which = class_of(p, c) if p > 0 else UNMEASURED + 1
    cdef uint64_t parent, child, one
    for t in range(arcs.group[OF_FEATS + 1]):
        parent = hashes.role[PARENT][p * arcs.templates + t]
        child = hashes.role[CHILD][c * arcs.templates + t]
        each_of(arcs, words, t, PARENT, p, &p_start, &p_end)
        each_of(arcs, words, t, CHILD, c, &c_start, &c_end)
        for i in range(p_start, p_end):
            one = parent if i < 0 else mix(parent, words.features[i])
            for j in range(c_start, c_end):
                collect(
                    arcs, one ^ (child if j < 0 else mix(child, words.features[j])), t,
                    i if i < 0 else i - words.feature_start[p - 1], j if j < 0 else j - words.feature_start[c - 1],
                    which, count, found,
                )
    for t in range(arcs.group[WITH_BETWEEN], arcs.group[WITH_BETWEEN + 1]):
        one = hashes.role[PARENT][p * arcs.templates + t] ^ hashes.role[CHILD][c * arcs.templates + t]
        for i in range((p if p < c else c) + 1, p if p > c else c):
            collect(arcs, one ^ hashes.role[BETWEEN][i * arcs.templates + t], t, i, -1, which, count, found)


cdef void collect_sibling(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int h, int c, int s, int count, Collection* found
) noexcept nogil:
    """Count or list the features of a child beside its sibling; s = h where there is none."""
    cdef int t, which = class_of(s, c) if s != h else UNMEASURED + (c > h)
    cdef size_t none = words.n + 1
    cdef uint64_t key
    for t in range(arcs.group[OF_SIBLINGS], arcs.group[OF_THREE + 1]):
        key = hashes.role[PARENT][h * arcs.templates + t] ^ hashes.role[CHILD][c * arcs.templates + t]
        key ^= hashes.role[SIBLING][(s if s != h else none) * arcs.templates + t]
        collect(arcs, key, t, -1, -1, which, count, found)
