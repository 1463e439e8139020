"""The features of arcs, siblings and labels one by one: for explanations, and nowhere else."""

from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.hashes cimport (
    BETWEEN, CHILD, DIRECTED, OF_FEATS, OF_SIBLINGS, OF_THREE, PARENT, SIBLING, WITH_BETWEEN, ArcFeatures, Hashes,
    prepare,
)
from headway.kernels.features.tables cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.features.templates cimport Words, View, mix, sentence_of
from headway.kernels.graph.arcs cimport (
    UNMEASURED, class_of, each_of, first_place, score_arcs, score_siblings, second_place, unmeasured,
)
from headway.kernels.graph.labels cimport LabelFeatures, keys_of_label, nodes_of_label, place_of, score_labels
from headway.kernels.graph.parsing cimport Graph, Workspace, add_best_labels, release_workspace, reserve_workspace
from headway.kernels.trees.tree cimport NOTHING, Tree, add_arc, clear_tree, release_tree, reserve_tree

cdef enum:
    NUMBERS = 5     # of each feature


cdef struct Listing:
    int* numbers    # template, single feature or word in between of the parent, of the child, which of two, weight
    Py_ssize_t count
    Py_ssize_t room
    bint failed     # memory was short


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


cdef void list_one(
    const ArcFeatures* arcs, uint64_t key, int t, int i, int j, int which, Listing* found
) noexcept nogil:
    """The weights of a template's feature, or of its two."""
    cdef int line
    key = unmeasured(key, which)
    line = <int> ((key >> arcs.shift) << 4)
    put(found, t, i, j, 0, line + <int> ((key + first_place(arcs.kind[t], which)) & 15))
    if arcs.kind[t] == DIRECTED:
        put(found, t, i, j, 1, line + <int> ((key + second_place(which)) & 15))


cdef void list_arc(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int p, int c, Listing* found
) noexcept nogil:
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
                list_one(
                    arcs, one ^ (child if j < 0 else mix(child, words.features[j])), t,
                    i if i < 0 else i - words.feature_start[p - 1], j if j < 0 else j - words.feature_start[c - 1],
                    which, found,
                )
    for t in range(arcs.group[WITH_BETWEEN], arcs.group[WITH_BETWEEN + 1]):
        one = hashes.role[PARENT][p * arcs.templates + t] ^ hashes.role[CHILD][c * arcs.templates + t]
        for i in range((p if p < c else c) + 1, p if p > c else c):
            list_one(arcs, one ^ hashes.role[BETWEEN][i * arcs.templates + t], t, i, -1, which, found)


cdef void list_sibling(
    const Hashes* hashes, const ArcFeatures* arcs, const Words* words, int h, int c, int s, Listing* found
) noexcept nogil:
    cdef int t, which = class_of(s, c) if s != h else UNMEASURED + (c > h)
    cdef size_t none = words.n + 1
    cdef uint64_t key
    for t in range(arcs.group[OF_SIBLINGS], arcs.group[OF_THREE + 1]):
        key = hashes.role[PARENT][h * arcs.templates + t] ^ hashes.role[CHILD][c * arcs.templates + t]
        key ^= hashes.role[SIBLING][(s if s != h else none) * arcs.templates + t]
        list_one(arcs, key, t, -1, -1, which, found)


def features_of(Graph graph, int first, int n, const int[:, ::1] parts):
    """The features of parts (head, child, sibling) of the sentence of n words that begins with word number `first`.

    The sibling is -1 for an arc, and the head where there is none. Returns where the features of each part begin, and
    for each feature: its template; the number of the single feature of the parent or the word in between, or -1; that
    of the child, or -1; whether it is the second of two; its place among the weights.
    """
    cdef Workspace space
    cdef Listing found
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, n)
    cdef Py_ssize_t i
    memset(&found, 0, sizeof(Listing))
    starts = np.zeros(parts.shape[0] + 1, np.int64)
    cdef long long[::1] start = starts
    if not reserve_workspace(&space, graph, 0):
        raise MemoryError
    prepare(&space.hashes, &graph.arcs, &words)
    for i in range(parts.shape[0]):
        if parts[i, 2] < 0:
            list_arc(&space.hashes, &graph.arcs, &words, parts[i, 0], parts[i, 1], &found)
        else:
            list_sibling(&space.hashes, &graph.arcs, &words, parts[i, 0], parts[i, 1], parts[i, 2], &found)
        start[i + 1] = found.count
    release_workspace(&space)
    numbers = np.empty((found.count, NUMBERS), np.int32)
    cdef int[:, ::1] out = numbers
    if found.count:
        memcpy(&out[0, 0], found.numbers, found.count * NUMBERS * sizeof(int))
    free(found.numbers)
    if found.failed:
        raise MemoryError
    return starts, numbers


def scores_of(
    Graph graph, const int16_t[::1] weights, int first, double[:, ::1] arcs, double[:, :, ::1] siblings,
    int[:, ::1] labels,
):
    """Write the scores of all arcs of a sentence as parsing has them, in units of the weights.

    With siblings where these have a cube, and with the best label of each arc where labels are joint.
    """
    cdef Workspace space
    cdef int n = <int> arcs.shape[0] - 1
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, n)
    if not reserve_workspace(&space, graph, 0):
        raise MemoryError
    with nogil:
        prepare(&space.hashes, &graph.arcs, &words)
        score_arcs(&space.hashes, &graph.arcs, &words, &weights[0], space.scores)
        if siblings.shape[0]:
            score_siblings(&space.hashes, &graph.arcs, &words, &weights[0], &siblings[0, 0, 0])
        if graph.joint:
            add_best_labels(graph, &space, &words, &weights[0])
            memcpy(&labels[0, 0], space.best_label, (n + 1) * (n + 1) * sizeof(int))
        memcpy(&arcs[0, 0], space.scores, (n + 1) * (n + 1) * sizeof(double))
    release_workspace(&space)


def places_of(Graph graph, const uint64_t[::1] keys, int label):
    """The places among all weights that features, by key, have for a label."""
    found = np.empty(keys.shape[0], np.int64)
    cdef long long[::1] view = found
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        view[i] = <long long> place_of(&graph.labels, keys[i], label)
    return found


def label_scores(Graph graph, const int16_t[::1] weights, const uint64_t[::1] keys):
    """The scores of all labels, in units of the weights."""
    found = np.zeros(graph.labels.count, np.float32)
    cdef float[::1] view = found
    score_labels(&graph.labels, &weights[0], &keys[0] if keys.shape[0] else NULL, <int> keys.shape[0], &view[0])
    return found


def label_view(
    TemplateTable templates not None, WordTable words not None, const uint64_t[::1] names, int first,
    const int[::1] heads, const int[::1] labels, int parent, int child,
):
    """What the features of an arc's label look at in the sentence that begins with word number `first`.

    `heads` are those of its words, -1 where an arc is not known, and `labels` those that are known so far, else -1.
    Returns the nodes of all addresses, the labels of these, the values of all slots, and the keys.
    """
    cdef LabelFeatures features
    cdef Tree tree
    cdef View view
    cdef Words own = words.words
    cdef int n = <int> heads.shape[0], count, i
    cdef uint64_t* keys = <uint64_t*> malloc((most_keys(templates, words) + 1) * sizeof(uint64_t))
    memset(&features, 0, sizeof(LabelFeatures))
    features.templates = templates_over(templates, words)
    own.labels = &names[0]
    own = sentence_of(&own, features.templates.columns, first, n)
    if keys == NULL or not reserve_tree(&tree, n):
        free(keys)
        raise MemoryError
    clear_tree(&tree, n)
    for i in range(n):
        if heads[i] != NOTHING:
            add_arc(&tree, heads[i], i + 1, labels[i])
    nodes_of_label(&features, &tree, &own, parent, child, &view)
    count = keys_of_label(&features, &tree, &own, parent, child, keys)
    nodes = np.array([view.node[i] for i in range(features.templates.addresses)], np.int32)
    known = np.array([tree.label[node] if node >= 0 else NOTHING for node in nodes.tolist()], np.int32)
    values = np.array([view.value[i] for i in range(features.templates.slots)], np.uint64)
    found = np.array([keys[i] for i in range(count)], np.uint64)
    release_tree(&tree)
    free(keys)
    return nodes, known, values, found
