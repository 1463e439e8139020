"""The features of arcs and siblings one by one, and scores as parsing has them: for explanations and corrections."""

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from headway.kernels.features.hashes cimport prepare
from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.graph.arcs cimport Weight, score_arcs, score_siblings
from headway.kernels.graph.collecting cimport NUMBERS, Listing, collect_arc, collect_sibling
from headway.kernels.graph.labels cimport place_of, score_labels
from headway.kernels.graph.parsing cimport Graph, Workspace, finish_scores, parser_workspace


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
    cdef int writing
    cdef long long[::1] start = np.zeros(parts.shape[0] + 1, np.int64)
    cdef int[:, ::1] numbers = None
    found.numbers = NULL
    prepare(&space.hashes, &words)
    for writing in range(2):
        found.count = 0
        for i in range(parts.shape[0]):
            if parts[i, 2] < 0:
                collect_arc(&space.hashes, parts[i, 0], parts[i, 1], 1, &found)
            else:
                collect_sibling(&space.hashes, parts[i, 0], parts[i, 1], parts[i, 2], 1, &found)
            start[i + 1] = found.count
        if not writing:
            numbers = np.empty((found.count, NUMBERS), np.int32)
            if found.count == 0:
                break
            found.numbers = &numbers[0, 0]
    return start.base, numbers.base


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
        prepare(&space.hashes, &words)
        score_arcs(&space.hashes, &weights[0], space.scores)
        if siblings.shape[0]:
            score_siblings(&space.hashes, &weights[0], &siblings[0, 0, 0])
        if graph.joint and labels.shape[0]:
            finish_scores(space, &weights[0], 0, 0)
            memcpy(&labels[0, 0], space.best_label, (n + 1) * (n + 1) * sizeof(int))
        memcpy(&arcs[0, 0], space.scores, (n + 1) * (n + 1) * sizeof(double))


def places_of(Graph graph, const uint64_t[::1] keys, int label):
    """The places among all weights that features, by key, have for a label."""
    cdef long long[::1] found = np.empty(keys.shape[0], np.int64)
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        found[i] = <long long> place_of(&graph.labels, keys[i], label)
    return found.base


def label_scores(Graph graph, const int16_t[::1] weights, const uint64_t[::1] keys):
    """The scores of all labels, in units of the weights."""
    cdef float[::1] found = np.zeros(graph.labels.count, np.float32)
    score_labels(&graph.labels, &weights[0], &keys[0] if keys.shape[0] else NULL, <int> keys.shape[0], &found[0])
    return found.base
