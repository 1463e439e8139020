"""Scores of arcs and of pairs of siblings by the hash kernel, from hashes of words. Bohnet (2010).

A key leads to a line of 16 weights; where the features with an arc's direction and with its direction and length have a
template in common, they lie on the same line. Which weight of a line it is, follows from the class of the arc: 2 × its
length, in 7 steps, + its direction.
"""

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memset

from headway.kernels.features.hashes cimport (
    BETWEEN, CHILD, CLASSES, DIRECTED, KINDS, OF_CHILD, OF_FEATS, OF_PARENT, OF_SIBLINGS, OF_THREE, PARENT, PLAIN,
    SIBLING, WITH_BETWEEN, WITH_BOTH, WITH_DISTANCE, ArcFeatures, Hashes, hashes_of,
)
from headway.kernels.features.templates cimport Words, length_class, mix

cdef enum:
    NEAR = 10               # longer arcs have one length
    FAR = 12                # their class, to the left
    UNMEASURED = 14         # classes from here on: from the root, or without a sibling

ctypedef fused Weight:
    float
    int16_t


cdef inline int class_of(int start, int child) noexcept nogil:
    """The class of an arc, or of a pair of siblings: by its length, to the left, to the right."""
    cdef int gap = child - start if child > start else start - child
    return 2 * (length_class(gap) - 1) + (child > start)


cdef inline int first_place(int kind, int which) noexcept nogil:
    """The place on a line of a class's weight, or of the first of two."""
    if kind == PLAIN:
        return 0
    if kind == WITH_DISTANCE:
        return which >> 1
    if kind == WITH_BOTH:
        return second_place(which)
    return which & 1


cdef inline int second_place(int which) noexcept nogil:
    return 2 + (which if which < UNMEASURED else which - UNMEASURED)


cdef inline uint64_t unmeasured(uint64_t key, int which) noexcept nogil:
    """Arcs without a length have lines of their own, since a line has no more than 16 places."""
    return key ^ <uint64_t> 0xD6E8FEB86659FD93 if which >= UNMEASURED else key


cdef inline float value_of(
    const ArcFeatures* arcs, const Weight* weights, uint64_t key, int t, int which
) noexcept nogil:
    """The weight of a template's feature, or of its two."""
    cdef const Weight* line
    key = unmeasured(key, which)
    line = weights + ((key >> arcs.shift) << 4)
    if arcs.kind[t] == DIRECTED:
        return <float> line[(key + (which & 1)) & 15] + line[(key + second_place(which)) & 15]
    return line[(key + first_place(arcs.kind[t], which)) & 15]


cdef inline void each_of(const Hashes* hashes, int t, int role, int word, int* start, int* end) noexcept nogil:
    """Which features of a word a role of a template stands for; -1 to 0 where it does not look at single features."""
    start[0], end[0] = -1, 0
    if hashes.arcs.each[t] >> role & 1:
        start[0] = hashes.words.feature_start[word - 1] if word > 0 else 0
        end[0] = hashes.words.feature_start[word] if word > 0 else 0


cdef inline void score_alone(Hashes* hashes, const Weight* weights, int role, float* scores) noexcept nogil:
    """Scores of what needs one word only, for every class of arcs: once for each word."""
    cdef const ArcFeatures* arcs = hashes.arcs
    cdef const Words* words = &hashes.words
    cdef int w, t, a, i, group = OF_PARENT if role == PARENT else OF_CHILD
    cdef uint64_t key
    cdef float* row
    memset(scores, 0, (words.n + 1) * CLASSES * sizeof(float))
    for w in range(words.n + 1):
        row = scores + w * CLASSES
        for t in range(arcs.group[group], arcs.group[group + 1]):
            key = hashes_of(hashes, role, w)[t]
            if not arcs.each[t]:
                for a in range(CLASSES):
                    row[a] += value_of(arcs, weights, key, t, a)
            elif w > 0:
                for i in range(words.feature_start[w - 1], words.feature_start[w]):
                    for a in range(CLASSES):
                        row[a] += value_of(arcs, weights, mix(key, words.features[i]), t, a)


cdef inline float score_both(const Hashes* hashes, const Weight* weights, int p, int c, int which) noexcept nogil:
    """The score of what needs both words of an arc."""
    cdef const ArcFeatures* arcs = hashes.arcs
    cdef const uint64_t* parent = hashes_of(hashes, PARENT, p)
    cdef const uint64_t* child = hashes_of(hashes, CHILD, c)
    cdef const Weight* line
    cdef uint64_t key, salt = unmeasured(0, which)
    cdef int k, t, first, second = second_place(which)
    cdef float total = 0
    for k in range(KINDS):
        first = first_place(k, which)
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


cdef inline float score_feats(const Hashes* hashes, const Weight* weights, int p, int c, int which) noexcept nogil:
    """The score of what needs both words and stands for each of their morphological features."""
    cdef const uint64_t* features = hashes.words.features
    cdef int t, i, j, p_start, p_end, c_start, c_end
    cdef uint64_t child, one
    cdef float total = 0
    for t in range(hashes.arcs.group[OF_FEATS], hashes.arcs.group[OF_FEATS + 1]):
        child = hashes_of(hashes, CHILD, c)[t]
        each_of(hashes, t, PARENT, p, &p_start, &p_end)
        each_of(hashes, t, CHILD, c, &c_start, &c_end)
        for i in range(p_start, p_end):
            one = hashes_of(hashes, PARENT, p)[t]
            one = one if i < 0 else mix(one, features[i])
            for j in range(c_start, c_end):
                total += value_of(
                    hashes.arcs, weights, one ^ (child if j < 0 else mix(child, features[j])), t, which
                )
    return total


cdef inline void clear_between(Hashes* hashes) noexcept nogil:
    """No word in between yet."""
    cdef int b, i, rows = hashes.room + 2
    for b in range(hashes.arcs.group[WITH_BETWEEN + 1] - hashes.arcs.group[WITH_BETWEEN]):
        hashes.count[b * (rows + 1) + rows] = 0
        for i in range(hashes.child_count[b]):
            hashes.far[b * rows + i] = 0


cdef inline void enter_near(Hashes* hashes, int word) noexcept nogil:
    """One more word in between, for short arcs: count its value of each template."""
    cdef int b, i, first = hashes.arcs.group[WITH_BETWEEN], rows = hashes.room + 2
    cdef uint64_t value
    cdef uint64_t* distinct
    cdef int* count
    for b in range(hashes.arcs.group[WITH_BETWEEN + 1] - first):
        value = hashes_of(hashes, BETWEEN, word)[first + b]
        distinct, count = hashes.distinct + b * rows, hashes.count + b * (rows + 1)
        i = 0
        while i < count[rows] and distinct[i] != value:
            i += 1
        if i == count[rows]:
            distinct[i] = value
            count[i] = 0
            count[rows] += 1
        count[i] += 1


cdef inline float score_near(const Hashes* hashes, const Weight* weights, int p, int c, int which) noexcept nogil:
    """The score of what stands between the words of a short arc, by its different values."""
    cdef int t, i, b, rows = hashes.room + 2, first = hashes.arcs.group[WITH_BETWEEN]
    cdef uint64_t key
    cdef float total = 0
    for t in range(first, hashes.arcs.group[WITH_BETWEEN + 1]):
        b = t - first
        key = hashes_of(hashes, PARENT, p)[t] ^ hashes_of(hashes, CHILD, c)[t]
        for i in range(hashes.count[b * (rows + 1) + rows]):
            total += hashes.count[b * (rows + 1) + i] * value_of(
                hashes.arcs, weights, key ^ hashes.distinct[b * rows + i], t, which
            )
    return total


cdef inline void enter_far(Hashes* hashes, const Weight* weights, int p, int word, int which) noexcept nogil:
    """One more word in between, for arcs whose class no longer changes: add its scores for every value of a child."""
    cdef int t, i, b, rows = hashes.room + 2, first = hashes.arcs.group[WITH_BETWEEN]
    cdef uint64_t key
    for t in range(first, hashes.arcs.group[WITH_BETWEEN + 1]):
        b = t - first
        key = hashes_of(hashes, PARENT, p)[t] ^ hashes_of(hashes, BETWEEN, word)[t]
        for i in range(hashes.child_count[b]):
            hashes.far[b * rows + i] += value_of(
                hashes.arcs, weights, key ^ hashes.child_values[b * rows + i], t, which
            )


cdef inline float score_far(const Hashes* hashes, int c) noexcept nogil:
    """The score of what stands between the words of a long arc, or one from the root."""
    cdef int b, rows = hashes.room + 2
    cdef float total = 0
    for b in range(hashes.arcs.group[WITH_BETWEEN + 1] - hashes.arcs.group[WITH_BETWEEN]):
        total += hashes.far[b * rows + hashes.child_value[b * rows + c]]
    return total


cdef inline void score_arcs(Hashes* hashes, const Weight* weights, double* scores) noexcept nogil:
    """Scores of all arcs of a sentence that has been prepared: scores[parent × (n + 1) + child].

    Time grows with the square of the length, for features of words in between times the different values of children.
    """
    cdef int n = hashes.words.n, p, c, step, which, far
    cdef bint near, has_far, with_feats = hashes.arcs.group[OF_FEATS] < hashes.arcs.group[OF_FEATS + 1]
    cdef float total
    score_alone(hashes, weights, PARENT, hashes.parent)
    score_alone(hashes, weights, CHILD, hashes.child)
    for p in range(n + 1):
        for step in range(-1, 2, 2):
            clear_between(hashes)
            far = FAR + (step > 0) if p > 0 else UNMEASURED + 1
            has_far = p == 0 or (n - p if step > 0 else p - 1) > NEAR
            c = p + step
            while 1 <= c <= n:
                near = p > 0 and (c - p) * step <= NEAR
                which = class_of(p, c) if near else far
                total = hashes.parent[p * CLASSES + which] + hashes.child[c * CLASSES + which]
                total += score_both(hashes, weights, p, c, which)
                if with_feats:
                    total += score_feats(hashes, weights, p, c, which)
                total += score_near(hashes, weights, p, c, which) if near else score_far(hashes, c)
                scores[p * (n + 1) + c] = total
                if near:
                    enter_near(hashes, c)
                if has_far:
                    enter_far(hashes, weights, p, c, far)
                c += step


cdef inline float score_group(
    const ArcFeatures* arcs, const Weight* weights, int group, const uint64_t* some, const uint64_t* others, int which
) noexcept nogil:
    """The score of a group's templates whose keys are made of two parts."""
    cdef int t
    cdef float total = 0
    for t in range(arcs.group[group], arcs.group[group + 1]):
        total += value_of(arcs, weights, some[t] ^ others[t], t, which)
    return total


cdef inline void score_siblings(Hashes* hashes, const Weight* weights, double* siblings) noexcept nogil:
    """Scores of children beside the next sibling nearer to the head, in the layout of eisner.pxd.

    What does not need the head is scored once for each pair of words.
    """
    cdef const ArcFeatures* arcs = hashes.arcs
    cdef int n = hashes.words.n, rows = n + 1, h, c, s, step, t, which
    cdef const uint64_t* child
    cdef const uint64_t* sibling
    cdef uint64_t* partial = hashes.partial
    cdef double* pairs = hashes.pairs
    for c in range(1, n + 1):
        child = hashes_of(hashes, CHILD, c)
        for s in range(1, n + 1):
            if s != c:
                sibling = hashes_of(hashes, SIBLING, s)
                pairs[c * rows + s] = score_group(arcs, weights, OF_SIBLINGS, child, sibling, class_of(s, c))
        sibling = hashes_of(hashes, SIBLING, n + 1)
        for which in range(2):
            pairs[rows * rows + 2 * c + which] = score_group(
                arcs, weights, OF_SIBLINGS, child, sibling, UNMEASURED + which
            )
    for h in range(rows):
        for step in range(-1, 2, 2):
            s = h
            while 0 <= s <= n and (s > 0 or h == 0):
                sibling = hashes_of(hashes, SIBLING, s if s != h else n + 1)
                for t in range(arcs.group[OF_THREE], arcs.group[OF_THREE + 1]):
                    partial[t] = hashes_of(hashes, PARENT, h)[t] ^ sibling[t]
                c = s + step
                while 1 <= c <= n:
                    which = class_of(s, c) if s != h else UNMEASURED + (c > h)
                    siblings[(h * rows + c) * rows + s] = (
                        score_group(arcs, weights, OF_THREE, partial, hashes_of(hashes, CHILD, c), which)
                        + (pairs[c * rows + s] if s != h else pairs[rows * rows + 2 * c + (c > h)])
                    )
                    c += step
                s += step
