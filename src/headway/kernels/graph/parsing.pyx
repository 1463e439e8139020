"""See parsing.pxd."""

from libc.math cimport INFINITY
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.graph.arcs cimport Weight, score_arcs, score_siblings
from headway.kernels.graph.eisner cimport best_projective, best_projective_siblings, release_chart, reserve_chart
from headway.kernels.graph.eisner_k_best cimport release_forest, reserve_forest
from headway.kernels.features.hashes cimport KINDS, LAST_GROUP, OF_BOTH, prepare, release_hashes, reserve_hashes
from headway.kernels.graph.labels cimport grow, keys_of_label, next_word, score_labels
from headway.kernels.graph.rearranging cimport rearrange_siblings
from headway.kernels.graph.spanning cimport best_spanning, release_contraction, reserve_contraction
from headway.kernels.graph.spanning_k_best cimport release_ranking, reserve_ranking
from headway.kernels.features.templates cimport Words, sentence_of, templates_over
from headway.kernels.trees.tree cimport release_tree, reserve_tree

LONGEST = MOST_FOR_SIBLINGS
"""Words of the longest sentence that is parsed with siblings; longer ones are parsed by their arcs alone."""


cdef class Graph:
    """A parser's features, words to parse, decoder: what does not change while sentences are parsed or learned."""

    def __init__(
        self, const int[::1] group, const int[::1] kind, const int[::1] start, const int[:, ::1] slot,
        const int[::1] each, const uint64_t[::1] seed, int bits, const int[:, ::1] label_address,
        const int[:, ::1] label_slot, const int[::1] label_start, const int[::1] label_member,
        const uint64_t[::1] label_seed, int label_bits, int width_bits, const uint64_t[::1] label_names,
        const uint64_t[:, ::1] keys, const int[::1] feature_start, const uint64_t[::1] features, bint projective,
        bint second_order, bint single, bint joint, int longest, int most_label_features, decoder=None,
    ):
        cdef int g, t
        self.arcs.templates, self.arcs.columns = <int> kind.shape[0], <int> keys.shape[1]
        self.arcs.shift, self.arcs.siblings = 64 - (bits - 4), second_order
        for g in range(LAST_GROUP + 1):
            self.arcs.group[g] = group[g]
        for g in range(KINDS + 1):
            self.arcs.run[g] = group[OF_BOTH]
        for t in range(group[OF_BOTH], group[OF_BOTH + 1]):
            for g in range(kind[t] + 1, KINDS + 1):
                self.arcs.run[g] += 1
        self.arcs.kind, self.arcs.start, self.arcs.each, self.arcs.seed = &kind[0], &start[0], &each[0], &seed[0]
        self.arcs.slot = &slot[0, 0] if slot.shape[0] else NULL
        self.labels.count = <int> label_names.shape[0]
        self.labels.templates = templates_over(
            label_address, label_slot, label_start, label_member, label_seed, <int> keys.shape[1]
        )
        self.labels.width, self.labels.shift = 1 << width_bits, 64 - (label_bits - width_bits)
        self.labels.offset = <size_t> 1 << bits
        self.words.keys, self.words.feature_start, self.words.labels = &keys[0, 0], &feature_start[0], &label_names[0]
        self.words.features = &features[0] if features.shape[0] else NULL
        self.projective, self.second_order, self.single, self.joint = projective, second_order, single, joint
        self.longest, self.most_label_features = longest, most_label_features
        self.decoder, self.of_python = decoder, decoder is not None
        self.keep = (
            kind, start, slot, each, seed, label_address, label_slot, label_start, label_member, label_seed,
            label_names, keys, feature_start, features,
        )

    def check(self):
        """Raise what a decoder of Python has raised."""
        if self.failed:
            error, self.error, self.failed = self.error, None, False
            raise error

    cdef ask(self, Room* room, int n):
        """The heads of a decoder of Python, from a copy of the scores; arcs that no tree has are forbidden."""
        cdef double[:, ::1] copy = np.empty((n + 1, n + 1))
        cdef const int[::1] heads
        cdef int c
        memcpy(&copy[0, 0], room.scores, (n + 1) * (n + 1) * sizeof(double))
        for c in range(n + 1):
            copy[c, 0] = copy[c, c] = -INFINITY
        heads = self.decoder(copy.base, self.single)
        memcpy(room.heads + 1, &heads[0], n * sizeof(int))


cdef bint reserve_room(Room* room, Graph graph, int k) noexcept nogil:
    """Room for all sentences of a graph and k trees at once; False where memory is short."""
    cdef size_t rows = graph.longest + 1, few
    memset(room, 0, sizeof(Room))
    few = rows if rows <= MOST_FOR_SIBLINGS + 1 else MOST_FOR_SIBLINGS + 1
    room.scores = <double*> malloc(rows * rows * sizeof(double))
    room.siblings = <double*> malloc((few * few * few if graph.second_order else 1) * sizeof(double))
    room.heads = <int*> calloc(rows * (k + 1), sizeof(int))
    room.gold = <int*> calloc(5 * rows, sizeof(int))
    room.best_label = <int*> calloc(rows * rows if graph.joint else 1, sizeof(int))
    room.label_keys = <uint64_t*> malloc((graph.most_label_features + 1) * sizeof(uint64_t))
    room.label_scores = <float*> malloc((graph.labels.count + 1) * sizeof(float))
    room.totals = <double*> malloc((k + 2) * (k + 3) * sizeof(double))
    if (
        room.scores == NULL or room.siblings == NULL or room.heads == NULL or room.gold == NULL
        or room.best_label == NULL or room.label_keys == NULL or room.label_scores == NULL or room.totals == NULL
        or not reserve_hashes(&room.hashes, &graph.arcs, graph.longest) or not reserve_tree(&room.tree, graph.longest)
        or not reserve_chart(&room.chart, graph.longest)
        or not reserve_contraction(&room.contraction, graph.longest)
        or (k > 1 and not reserve_forest(&room.forest, graph.longest))
        or (k > 1 and not reserve_ranking(&room.ranking, graph.longest, k + 1))
    ):
        release_room(room)
        return False
    room.gold_label, room.previous = room.gold + rows, room.gold + 2 * rows
    room.gold_previous, room.nearest = room.gold + 3 * rows, room.gold + 4 * rows
    return True


cdef void release_room(Room* room) noexcept nogil:
    """Free all that was reserved."""
    release_hashes(&room.hashes)
    release_tree(&room.tree)
    release_chart(&room.chart)
    release_forest(&room.forest)
    release_contraction(&room.contraction)
    release_ranking(&room.ranking)
    free(room.scores)
    free(room.siblings)
    free(room.heads)
    free(room.gold)
    free(room.best_label)
    free(room.label_keys)
    free(room.label_scores)
    free(room.totals)
    memset(room, 0, sizeof(Room))


cdef void adjacent(const int* heads, int n, int* nearest, int* previous) noexcept nogil:
    """For each word, the next child of its head on the same side and nearer to it, or the head where there is none."""
    cdef int c, h
    for c in range(n + 1):
        nearest[c] = c
    for c in range(1, n + 1):
        h = heads[c]
        if h < c:
            previous[c] = nearest[h]
            nearest[h] = c
    for c in range(n + 1):
        nearest[c] = c
    for c in range(n, 0, -1):
        h = heads[c]
        if h > c:
            previous[c] = nearest[h]
            nearest[h] = c


cdef void decode(Graph graph, Room* room, int n) noexcept nogil:
    """The heads of the best tree under the scores in the room; `graph.failed` where a decoder of Python found none."""
    if scores_siblings(graph, n):
        best_projective_siblings(&room.chart, room.scores, room.siblings, n, graph.single, room.heads)
        if not graph.projective:
            rearrange_siblings(&room.contraction, room.scores, room.siblings, n, graph.single, room.heads)
    elif graph.of_python:
        decode_in_python(graph, room, n)
    elif graph.projective:
        best_projective(&room.chart, room.scores, n, graph.single, room.heads)
    else:
        best_spanning(&room.contraction, room.scores, n, graph.single, room.heads)


cdef void decode_in_python(Graph graph, Room* room, int n) noexcept with gil:
    """The same by a decoder of Python, whose exception is kept for `check`."""
    try:
        graph.ask(room, n)
    except BaseException as error:
        graph.error, graph.failed = error, True


cdef void add_best_labels(Graph graph, Room* room, const Words* words, const Weight* weights) noexcept nogil:
    """Add the score of the best label to the score of each arc, and keep which it is."""
    cdef int p, c, label, best, count, n = words.n
    room.tree.n = n
    for p in range(n + 1):
        for c in range(1, n + 1):
            if p == c:
                continue
            count = keys_of_label(&graph.labels, &room.tree, words, p, c, room.label_keys)
            score_labels(&graph.labels, weights, room.label_keys, count, room.label_scores)
            best = 0
            for label in range(1, graph.labels.count):
                if room.label_scores[label] > room.label_scores[best]:
                    best = label
            room.best_label[p * (n + 1) + c] = best
            room.scores[p * (n + 1) + c] += room.label_scores[best]


cdef void label_tree(Graph graph, Room* room, const Words* words, const Weight* weights, int* out) noexcept nogil:
    """Labels of the tree in the room: heads before their children, from left to right, each the best."""
    cdef int c, label, best, count
    grow(&room.tree, room.heads, words.n)
    c = next_word(&room.tree, 0)
    while c:
        count = keys_of_label(&graph.labels, &room.tree, words, room.heads[c], c, room.label_keys)
        score_labels(&graph.labels, weights, room.label_keys, count, room.label_scores)
        best = 0
        for label in range(1, graph.labels.count):
            if room.label_scores[label] > room.label_scores[best]:
                best = label
        room.tree.label[c] = best
        out[c - 1] = best
        c = next_word(&room.tree, c)


def parse(Graph graph, const int16_t[::1] weights, const int[::1] offsets, int[::1] heads, int[::1] labels):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the graph's words into `heads` and `labels`."""
    cdef Room room
    cdef Words words
    cdef int s, c, n, first
    if not reserve_room(&room, graph, 1):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            first = offsets[s]
            n = offsets[s + 1] - first
            if n == 0:
                continue
            words = sentence_of(&graph.words, graph.arcs.columns, first, n)
            prepare(&room.hashes, &graph.arcs, &words)
            score_arcs(&room.hashes, &graph.arcs, &words, &weights[0], room.scores)
            if scores_siblings(graph, n):
                score_siblings(&room.hashes, &graph.arcs, &words, &weights[0], room.siblings)
            if graph.joint:
                add_best_labels(graph, &room, &words, &weights[0])
            decode(graph, &room, n)
            if graph.failed:
                break
            for c in range(1, n + 1):
                heads[first + c - 1] = room.heads[c]
                if graph.joint:
                    labels[first + c - 1] = room.best_label[room.heads[c] * (n + 1) + c]
            if not graph.joint:
                label_tree(graph, &room, &words, &weights[0], &labels[first])
    release_room(&room)
    graph.check()


def scores(Graph graph, const float[::1] weights, int first, double[:, ::1] arcs, double[:, :, ::1] siblings):
    """Write the scores of all arcs of the sentence whose first word has this number; with siblings where asked for."""
    cdef Room room
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, <int> arcs.shape[0] - 1)
    if not reserve_room(&room, graph, 1):
        raise MemoryError
    with nogil:
        prepare(&room.hashes, &graph.arcs, &words)
        score_arcs(&room.hashes, &graph.arcs, &words, &weights[0], &arcs[0, 0])
        if siblings.shape[0]:
            score_siblings(&room.hashes, &graph.arcs, &words, &weights[0], &siblings[0, 0, 0])
    release_room(&room)
