"""See parsing.pxd."""

from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from headway.kernels.features.hashes cimport KINDS, LAST_GROUP, OF_BOTH, prepare, release_hashes, reserve_hashes
from headway.kernels.features.tables cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.graph.arcs cimport Weight, score_arcs, score_siblings
from headway.kernels.graph.decoding cimport EISNER, TreeDecoder, best_tree, release_memory, reserve_memory
from headway.kernels.graph.evidence cimport COLUMNS, LABEL, margin_of, weigh_arcs
from headway.kernels.graph.labels cimport best_label, grow, keys_of_label, next_word, score_labels
from headway.kernels.graph.marginals cimport MarginalMemory, release_marginals, reserve_marginals
from headway.kernels.trees.tree cimport release_tree, reserve_tree

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


cdef bint reserve_workspace(Workspace* space, Graph graph, int k) noexcept nogil:
    cdef size_t rows = graph.longest + 1, few
    memset(space, 0, sizeof(Workspace))
    few = rows if rows <= MOST_FOR_SIBLINGS + 1 else MOST_FOR_SIBLINGS + 1
    space.scores = <double*> malloc(rows * rows * sizeof(double))
    space.siblings = <double*> malloc((few * few * few if graph.second_order else 1) * sizeof(double))
    space.heads = <int*> calloc(rows * (k + 1), sizeof(int))
    space.gold = <int*> calloc(PER_WORD * rows, sizeof(int))
    space.best_label = <int*> calloc(rows * rows if graph.joint else 1, sizeof(int))
    space.label_keys = <uint64_t*> malloc((graph.most_label_features + 1) * sizeof(uint64_t))
    space.label_scores = <float*> malloc((graph.labels.count + 1) * sizeof(float))
    space.totals = <double*> malloc((k + 2) * (k + 3) * sizeof(double))
    if (
        space.scores == NULL or space.siblings == NULL or space.heads == NULL or space.gold == NULL
        or space.best_label == NULL or space.label_keys == NULL or space.label_scores == NULL or space.totals == NULL
        or not reserve_hashes(&space.hashes, &graph.arcs, graph.longest) or not reserve_tree(&space.tree, graph.longest)
        or not reserve_memory(&space.decoding, graph.decoder, graph.longest, graph.second_order, k)
    ):
        release_workspace(space)
        return False
    space.gold_label, space.previous = space.gold + rows, space.gold + 2 * rows
    space.gold_previous, space.nearest = space.gold + 3 * rows, space.gold + 4 * rows
    return True


cdef void release_workspace(Workspace* space) noexcept nogil:
    """Free all that was reserved."""
    release_hashes(&space.hashes)
    release_tree(&space.tree)
    release_memory(&space.decoding)
    free(space.scores)
    free(space.siblings)
    free(space.heads)
    free(space.gold)
    free(space.best_label)
    free(space.label_keys)
    free(space.label_scores)
    free(space.totals)
    memset(space, 0, sizeof(Workspace))


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


cdef void decode(Graph graph, Workspace* space, int n) noexcept nogil:
    """The heads of the best tree under the scores in the workspace."""
    best_tree(
        graph.decoder, &space.decoding, space.scores, space.siblings if scores_siblings(graph, n) else NULL, n,
        graph.single, space.heads,
    )


cdef void add_best_labels(Graph graph, Workspace* space, const Words* words, const Weight* weights) noexcept nogil:
    """Add the score of the best label to the score of each arc, and keep which it is."""
    cdef int p, c, best, count, n = words.n
    space.tree.n = n
    for p in range(n + 1):
        for c in range(1, n + 1):
            if p == c:
                continue
            count = keys_of_label(&graph.labels, &space.tree, words, p, c, space.label_keys)
            score_labels(&graph.labels, weights, space.label_keys, count, space.label_scores)
            best = best_label(&graph.labels, space.label_scores)
            space.best_label[p * (n + 1) + c] = best
            space.scores[p * (n + 1) + c] += space.label_scores[best]


cdef void label_tree(
    Graph graph, Workspace* space, const Words* words, const Weight* weights, int* out, float* rows
) noexcept nogil:
    """Labels of the tree in the workspace: heads before their children, from left to right, each the best.

    How sure they are goes into the rows of evidence, unless those are NULL.
    """
    cdef int c, best, count
    grow(&space.tree, space.heads, words.n)
    c = next_word(&space.tree, 0)
    while c:
        count = keys_of_label(&graph.labels, &space.tree, words, space.heads[c], c, space.label_keys)
        score_labels(&graph.labels, weights, space.label_keys, count, space.label_scores)
        best = best_label(&graph.labels, space.label_scores)
        space.tree.label[c] = best
        out[c - 1] = best
        if rows != NULL:
            rows[(c - 1) * COLUMNS + LABEL] = margin_of(space.label_scores, graph.labels.count, best)
        c = next_word(&space.tree, c)


cdef void weigh_joint_labels(
    Graph graph, Workspace* space, const Words* words, const Weight* weights, float* rows
) noexcept nogil:
    """How sure the labels are that were chosen for each arc before the tree was found."""
    cdef int c, count, best, n = words.n
    for c in range(1, n + 1):
        count = keys_of_label(&graph.labels, &space.tree, words, space.heads[c], c, space.label_keys)
        score_labels(&graph.labels, weights, space.label_keys, count, space.label_scores)
        best = space.best_label[space.heads[c] * (n + 1) + c]
        rows[(c - 1) * COLUMNS + LABEL] = margin_of(space.label_scores, graph.labels.count, best)


def parse(
    Graph graph, const int16_t[::1] weights, const int[::1] offsets, int[::1] heads, int[::1] labels,
    float[:, ::1] evidence=None, double factor=1,
):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the graph's words into `heads` and `labels`.

    `evidence` gets how sure each arc was, in the columns of evidence.pxd, where it is asked for; marginals are those of
    scores times the factor.
    """
    cdef Workspace space
    cdef Words words
    cdef MarginalMemory sums
    cdef double* arcs = NULL
    cdef float* rows = NULL
    cdef int s, c, n, first
    memset(&sums, 0, sizeof(MarginalMemory))
    if evidence is not None:
        arcs = <double*> malloc(2 * <size_t> (graph.longest + 1) * (graph.longest + 1) * sizeof(double))
    if (
        not reserve_workspace(&space, graph, 0)
        or (evidence is not None and (arcs == NULL or not reserve_marginals(&sums, graph.longest)))
    ):
        release_workspace(&space)
        free(arcs)
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            first = offsets[s]
            n = offsets[s + 1] - first
            if n == 0:
                continue
            words = sentence_of(&graph.words, graph.arcs.columns, first, n)
            prepare(&space.hashes, &graph.arcs, &words)
            score_arcs(&space.hashes, &graph.arcs, &words, &weights[0], space.scores)
            if scores_siblings(graph, n):
                score_siblings(&space.hashes, &graph.arcs, &words, &weights[0], space.siblings)
            if graph.joint:
                add_best_labels(graph, &space, &words, &weights[0])
            decode(graph, &space, n)
            if graph.decoder.failed:
                break
            for c in range(1, n + 1):
                heads[first + c - 1] = space.heads[c]
                if graph.joint:
                    labels[first + c - 1] = space.best_label[space.heads[c] * (n + 1) + c]
            if arcs != NULL:
                rows = &evidence[first, 0]
                weigh_arcs(
                    &sums, space.scores, space.siblings if scores_siblings(graph, n) else NULL, space.heads, factor, n,
                    graph.single, graph.decoder.kind == EISNER, arcs, rows,
                )
                if graph.joint:
                    weigh_joint_labels(graph, &space, &words, &weights[0], rows)
            if not graph.joint:
                label_tree(graph, &space, &words, &weights[0], &labels[first], rows)
    release_workspace(&space)
    release_marginals(&sums)
    free(arcs)
    graph.decoder.check()


def scores(Graph graph, const float[::1] weights, int first, double[:, ::1] arcs, double[:, :, ::1] siblings):
    """Write the scores of all arcs of the sentence whose first word has this number; with siblings where asked for."""
    cdef Workspace space
    cdef Words words = sentence_of(&graph.words, graph.arcs.columns, first, <int> arcs.shape[0] - 1)
    if not reserve_workspace(&space, graph, 0):
        raise MemoryError
    with nogil:
        prepare(&space.hashes, &graph.arcs, &words)
        score_arcs(&space.hashes, &graph.arcs, &words, &weights[0], &arcs[0, 0])
        if siblings.shape[0]:
            score_siblings(&space.hashes, &graph.arcs, &words, &weights[0], &siblings[0, 0, 0])
    release_workspace(&space)
