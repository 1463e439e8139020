"""See parsing.pxd."""

from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from headway.kernels.features.hashes cimport KINDS, LAST_GROUP, OF_BOTH, reserve_hashes
from headway.kernels.features.templates cimport TemplateTable, Words, WordTable, most_keys, sentence_of, templates_over
from headway.kernels.graph.decoding cimport EISNER, DecoderMemory, TreeDecoder
from headway.kernels.graph.evidence cimport COLUMNS, LABEL, margin_of, weigh_arcs
from headway.kernels.graph.labels cimport grow, next_word
from headway.kernels.graph.marginals cimport MarginalMemory, reserve_marginals
from headway.kernels.trees.tree cimport reserve_tree

cdef enum:
    PER_WORD = 5        # arrays of the gold tree and of siblings, a number for each word

LONGEST = MOST_FOR_SIBLINGS
"""Words of the longest sentence that is parsed with siblings; longer ones are parsed by their arcs alone."""


cdef class Graph:
    """A parser's features, words to parse, decoder: what does not change while sentences are parsed or learned."""

    def __init__(
        self, *, const int[::1] group, const int[::1] kind, const int[::1] start, const int[:, ::1] slot,
        const int[::1] each, const uint64_t[::1] seed, int bits, TemplateTable label_templates not None,
        int label_bits, int width_bits, const uint64_t[::1] label_names, WordTable words not None,
        TreeDecoder decoder not None, bint second_order, bint single, bint joint, int longest,
    ):
        cdef int g, t
        self.arcs.templates, self.arcs.columns = <int> kind.shape[0], words.columns
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
        self.labels.templates = templates_over(label_templates, words)
        self.labels.width, self.labels.shift = 1 << width_bits, 64 - (label_bits - width_bits)
        self.labels.offset = <size_t> 1 << bits
        self.words = words.words
        self.words.labels = &label_names[0]
        self.decoder, self.second_order, self.single, self.joint = decoder, second_order, single, joint
        self.longest, self.most_label_features = longest, most_keys(label_templates, words)
        self.keep = (kind, start, slot, each, seed, label_templates, label_names, words)


cdef class Workspace(DecoderMemory):
    """What parsing and learning work in. Scores of siblings take most of it, and are not cleared for each call."""

    def __dealloc__(self):
        free(self.siblings)


cdef Workspace parser_workspace(Graph graph, int k):
    """A workspace for all sentences of a graph; for k trees at once, or 0 for the best alone."""
    cdef Workspace space = Workspace()
    cdef size_t rows = graph.longest + 1, few = min(rows, <size_t> MOST_FOR_SIBLINGS + 1)
    space.graph = graph
    reserve_hashes(&space.hashes, space, &graph.arcs, graph.longest)
    reserve_tree(&space.tree, space, graph.longest)
    space.reserve(graph.decoder, graph.longest, graph.second_order, k)
    space.scores = <double*> space.take(rows * rows, sizeof(double))
    space.siblings = <double*> malloc((few * few * few if graph.second_order else 1) * sizeof(double))
    if space.siblings == NULL:
        raise MemoryError
    space.heads = <int*> space.take(rows * (k + 1), sizeof(int))
    space.gold = <int*> space.take(PER_WORD * rows, sizeof(int))
    space.gold_label, space.previous = space.gold + rows, space.gold + 2 * rows
    space.gold_previous, space.nearest = space.gold + 3 * rows, space.gold + 4 * rows
    space.best_label = <int*> space.take(rows * rows if graph.joint else 0, sizeof(int))
    space.label_keys = <uint64_t*> space.take(graph.most_label_features, sizeof(uint64_t))
    space.label_scores = <float*> space.take(graph.labels.count + 1, sizeof(float))
    space.totals = <double*> space.take((k + 2) * (k + 3), sizeof(double))
    return space


cdef void label_tree(
    Workspace space, const Weight* weights, const int* given, int* out, float* rows, float* scores
) noexcept nogil:
    """Labels of the tree in the workspace: heads before their children, from left to right, each the best.

    Words that have one `given`, not -1, keep it. How sure labels are goes into the rows of evidence, the scores of all
    into `scores`; any of the three may be NULL.
    """
    cdef int c, best, count = space.graph.labels.count
    grow(&space.tree, space.heads, space.hashes.words.n)
    c = next_word(&space.tree, 0)
    while c:
        score_label(space, weights, space.heads[c], c)
        best = given[c - 1] if given != NULL else -1
        if best < 0:
            best = best_label(&space.graph.labels, space.label_scores)
        space.tree.label[c] = out[c - 1] = best
        if rows != NULL:
            rows[(c - 1) * COLUMNS + LABEL] = margin_of(space.label_scores, count, best)
        if scores != NULL:
            memcpy(scores + <Py_ssize_t> (c - 1) * count, space.label_scores, count * sizeof(float))
        c = next_word(&space.tree, c)


cdef void take_joint_labels(Workspace space, const Weight* weights, int* out, float* rows) noexcept nogil:
    """The labels that were chosen for each arc before the tree was found; how sure they are, where that is asked."""
    cdef int c, n = space.hashes.words.n
    for c in range(1, n + 1):
        out[c - 1] = space.best_label[space.heads[c] * (n + 1) + c]
        if rows != NULL:
            score_label(space, weights, space.heads[c], c)
            rows[(c - 1) * COLUMNS + LABEL] = margin_of(space.label_scores, space.graph.labels.count, out[c - 1])


def parse(
    Graph graph, const int16_t[::1] weights, const int[::1] offsets, int[::1] heads, int[::1] labels,
    float[:, ::1] evidence=None, double factor=1,
):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the graph's words into `heads` and `labels`.

    `evidence` gets how sure each arc was, in the columns of evidence.pxd, where it is asked for; marginals are those of
    scores times the factor.
    """
    cdef Workspace space = parser_workspace(graph, 0)
    cdef Words words
    cdef MarginalMemory sums
    cdef float* rows = NULL
    cdef int s, n, first
    if evidence is not None:
        reserve_marginals(&sums, space, graph.longest)
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            first = offsets[s]
            n = offsets[s + 1] - first
            if n == 0:
                continue
            words = sentence_of(&graph.words, graph.arcs.columns, first, n)
            score_sentence(space, &words, &weights[0])
            finish_scores(space, &weights[0], 0, 0)
            decode(space)
            if graph.decoder.failed:
                break
            memcpy(&heads[first], space.heads + 1, n * sizeof(int))
            if evidence is not None:
                rows = &evidence[first, 0]
                weigh_arcs(
                    &sums, space.scores, space.siblings if scores_siblings(space) else NULL, space.heads, factor, n,
                    graph.single, graph.decoder.kind == EISNER, rows,
                )
            if graph.joint:
                take_joint_labels(space, &weights[0], &labels[first], rows)
            else:
                label_tree(space, &weights[0], NULL, &labels[first], rows, NULL)
    graph.decoder.check()


def label(
    Graph graph, const int16_t[::1] weights, const int[::1] offsets, const int[::1] heads, int[::1] labels,
    float[:, ::1] scores=None,
):
    """Label some trees, but for words whose label is known, not -1; `scores` get those of all labels, where asked for.
    """
    cdef Workspace space = parser_workspace(graph, 0)
    cdef Words words
    cdef int s, n, first
    cdef int* known
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            first, n = offsets[s], offsets[s + 1] - offsets[s]
            if n == 0:
                continue
            words = sentence_of(&graph.words, graph.arcs.columns, first, n)
            prepare(&space.hashes, &words)
            memcpy(space.heads + 1, &heads[first], n * sizeof(int))
            known = &labels[first]
            label_tree(space, &weights[0], known, known, NULL, &scores[first, 0] if scores is not None else NULL)
