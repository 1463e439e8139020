"""The features of arcs, siblings and labels one by one: for explanations, and nowhere else."""

from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.hashes cimport prepare
from headway.kernels.features.tables cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.features.templates cimport Words, View, sentence_of
from headway.kernels.graph.arcs cimport (
    NUMBERS, Listing, Weight, collect_arc, collect_sibling, score_arcs, score_siblings,
)
from headway.kernels.graph.labels cimport LabelFeatures, keys_of_label, nodes_of_label, place_of, score_labels
from headway.kernels.graph.parsing cimport Graph, Workspace, add_best_labels, parser_workspace
from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport NOTHING, Tree, add_arc, clear_tree, reserve_tree


def features_of(Graph graph, int first, int n, const int[:, ::1] parts):
    """The features of parts (head, child, sibling) of the sentence of n words that begins with word number `first`.

    The sibling is -1 for an arc, and the head where there is none. Returns where the features of each part begin, and
    for each feature: its template; the number of the single feature of the parent or the word in between, or -1; that
    of the child, or -1; whether it is the second of two; its place among the weights.
    """
    cdef Workspace space = parser_workspace(graph, 0)
    cdef Listing found
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, n)
    cdef Py_ssize_t i
    memset(&found, 0, sizeof(Listing))
    starts = np.zeros(parts.shape[0] + 1, np.int64)
    cdef long long[::1] start = starts
    prepare(&space.hashes, &graph.arcs, &words)
    for i in range(parts.shape[0]):
        if parts[i, 2] < 0:
            collect_arc(&space.hashes, &graph.arcs, &words, parts[i, 0], parts[i, 1], 1, &found)
        else:
            collect_sibling(&space.hashes, &graph.arcs, &words, parts[i, 0], parts[i, 1], parts[i, 2], 1, &found)
        start[i + 1] = found.count
    numbers = np.empty((found.count, NUMBERS), np.int32)
    cdef int[:, ::1] out = numbers
    if found.count:
        memcpy(&out[0, 0], found.numbers, found.count * NUMBERS * sizeof(int))
    free(found.numbers)
    if found.failed:
        raise MemoryError
    return starts, numbers


def scores_of(
    Graph graph, const Weight[::1] weights, int first, double[:, ::1] arcs, double[:, :, ::1] siblings,
    int[:, ::1] labels,
):
    """Write the scores of all arcs of a sentence as parsing has them, in units of the weights.

    With siblings where these have a cube, and with the best label of each arc where labels are joint and have a matrix.
    """
    cdef Workspace space = parser_workspace(graph, 0)
    cdef int n = <int> arcs.shape[0] - 1
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, n)
    with nogil:
        prepare(&space.hashes, &graph.arcs, &words)
        score_arcs(&space.hashes, &graph.arcs, &words, &weights[0], space.scores)
        if siblings.shape[0]:
            score_siblings(&space.hashes, &graph.arcs, &words, &weights[0], &siblings[0, 0, 0])
        if graph.joint and labels.shape[0]:
            add_best_labels(graph, space, &words, &weights[0])
            memcpy(&labels[0, 0], space.best_label, (n + 1) * (n + 1) * sizeof(int))
        memcpy(&arcs[0, 0], space.scores, (n + 1) * (n + 1) * sizeof(double))


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
    cdef Memory memory = Memory()
    cdef uint64_t* keys = <uint64_t*> memory.take(most_keys(templates, words), sizeof(uint64_t))
    memset(&features, 0, sizeof(LabelFeatures))
    features.templates = templates_over(templates, words)
    own.labels = &names[0]
    own = sentence_of(&own, features.templates.columns, first, n)
    reserve_tree(&tree, memory, n)
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
    return nodes, known, values, found
