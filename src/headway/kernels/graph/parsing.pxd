"""What the kernels of graph parsing have in common: the parser's parts, and a workspace."""

from libc.stdint cimport uint64_t

from headway.kernels.features.hashes cimport ArcFeatures, Hashes, prepare
from headway.kernels.features.templates cimport Words
from headway.kernels.graph.arcs cimport Weight, score_arcs, score_siblings
from headway.kernels.graph.decoding cimport DecoderMemory, TreeDecoder, best_tree
from headway.kernels.graph.labels cimport LabelFeatures, best_label, keys_of_label, score_labels
from headway.kernels.trees.tree cimport Tree

cdef enum:
    MOST_FOR_SIBLINGS = 300     # words; scores of siblings for more would need more than 200 MiB


cdef class Graph:
    cdef ArcFeatures arcs
    cdef LabelFeatures labels
    cdef Words words
    cdef TreeDecoder decoder
    cdef bint second_order
    cdef bint single
    cdef bint joint
    cdef int longest
    cdef int most_label_features
    cdef object keep


cdef class Workspace(DecoderMemory):
    cdef Graph graph
    cdef Hashes hashes           # of the sentence at hand
    cdef Tree tree
    cdef double* scores
    cdef double* siblings
    cdef int* heads              # of up to k trees
    cdef int* gold
    cdef int* gold_label
    cdef int* previous           # next sibling nearer to the head, of each word: in the tree found, in the gold tree
    cdef int* gold_previous
    cdef int* nearest
    cdef int* best_label         # of each arc
    cdef uint64_t* label_keys
    cdef float* label_scores
    cdef double* totals


cdef Workspace parser_workspace(Graph graph, int k)


cdef inline bint scores_siblings(Workspace space) noexcept nogil:
    """Whether siblings count in the sentence at hand."""
    return space.graph.second_order and space.hashes.words.n <= MOST_FOR_SIBLINGS


cdef inline void score_sentence(Workspace space, const Words* words, const Weight* weights) noexcept nogil:
    """The scores of all arcs of a sentence, and of siblings where they count."""
    prepare(&space.hashes, words)
    score_arcs(&space.hashes, weights, space.scores)
    if scores_siblings(space):
        score_siblings(&space.hashes, weights, space.siblings)


cdef inline int score_label(Workspace space, const Weight* weights, int p, int c) noexcept nogil:
    """The scores of an arc's labels from their features, whose keys are kept too; how many there are."""
    cdef const LabelFeatures* labels = &space.graph.labels
    cdef int count = keys_of_label(labels, &space.tree, &space.hashes.words, p, c, space.label_keys)
    score_labels(labels, weights, space.label_keys, count, space.label_scores)
    return count


cdef inline void finish_scores(
    Workspace space, const Weight* weights, double bonus, double label_bonus
) noexcept nogil:
    """Add a bonus to wrong arcs and, where labels are joint, the best label's score to each arc; keep which it is.

    Wrong labels of right arcs have a bonus, too. Bonuses are 0 but for learning.
    """
    cdef int p, c, label, best, n = space.hashes.words.n
    cdef double* score
    if not space.graph.joint and bonus == 0:
        return
    space.tree.n = n
    for p in range(n + 1):
        for c in range(1, n + 1):
            if p == c:
                continue
            score = &space.scores[p * (n + 1) + c]
            if p != space.gold[c]:
                score[0] += bonus
            if not space.graph.joint:
                continue
            score_label(space, weights, p, c)
            if p == space.gold[c] and label_bonus:
                for label in range(space.graph.labels.count):
                    if label != space.gold_label[c]:
                        space.label_scores[label] += label_bonus
            best = best_label(&space.graph.labels, space.label_scores)
            space.best_label[p * (n + 1) + c] = best
            score[0] += space.label_scores[best]


cdef inline void decode(Workspace space) noexcept nogil:
    """The heads of the best tree under the scores in the workspace."""
    best_tree(
        space.graph.decoder, space, space.scores, space.siblings if scores_siblings(space) else NULL,
        space.hashes.words.n, space.graph.single, space.heads,
    )
