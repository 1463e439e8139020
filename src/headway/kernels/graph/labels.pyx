"""What features of labels look at, and labels of trees by a linear model with sparse weights."""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.hashes cimport (
    DIRECTED, OF_BOTH, OF_CHILD, OF_FEATS, OF_PARENT, OF_SIBLINGS, OF_THREE, PLAIN, WITH_BETWEEN, WITH_BOTH,
    WITH_DISTANCE, WITH_SIDE,
)
from headway.kernels.features.lookup cimport Lookup, add_weights
from headway.kernels.features.templates cimport (
    TemplateTable, View, Words, WordTable, most_keys, sentence_of, templates_over,
)
from headway.kernels.graph.evidence cimport LABEL
from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport NOTHING, Tree, add_arc, clear_tree, reserve_tree

cdef enum:
    CONSTANT = 0x68e31da4       # the key of the feature that every arc has

PLACES = {"PARENT": FROM_PARENT, "CHILD": FROM_CHILD}
EVERY_ARC = CONSTANT
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


cdef class LabelWork(Memory):
    """A tree that gets its labels, and the keys and scores of one arc."""

    cdef Tree tree
    cdef uint64_t* keys
    cdef double* scores

    def __cinit__(self, LabelTable table, const int[::1] offsets):
        reserve_tree(&self.tree, self, np.diff(offsets).max(initial=1))
        self.keys = <uint64_t*> self.take(table.most + 1, sizeof(uint64_t))
        self.keys[0] = CONSTANT
        self.scores = <double*> self.take(table.labels.count + 1, sizeof(double))

    cdef int find_keys(self, const LabelFeatures* labels, const Words* words, int word) noexcept nogil:
        """Write the keys of a word's arc, and return how many there are."""
        return 1 + keys_of_label(labels, &self.tree, words, self.tree.head[word], word, self.keys + 1)


cdef class LabelTable:
    """Compiled features of labels, and the words that they are asked of."""

    cdef LabelFeatures labels
    cdef Words words
    cdef int most           # features of an arc
    cdef object keep

    def __init__(self, TemplateTable templates not None, WordTable words not None, const uint64_t[::1] names):
        """`names` are the keys of the labels."""
        memset(&self.labels, 0, sizeof(LabelFeatures))
        self.labels.count = <int> names.shape[0]
        self.labels.templates = templates_over(templates, words)
        self.words = words.words
        self.words.labels = &names[0]
        self.most = most_keys(templates, words)
        self.keep = (templates, words, names)

    def view(self, int first, const int[::1] heads, const int[::1] labels, int parent, int child):
        """What the features of an arc's label look at in the sentence that begins with word number `first`.

        `heads` are those of its words, -1 where an arc is not known, and `labels` those that are known so far, else -1.
        Returns the nodes of all addresses, the labels of these, the values of all slots, and the keys.
        """
        cdef int n = <int> heads.shape[0], count, i
        cdef LabelWork work = LabelWork(self, np.array([0, n], np.int32))
        cdef Words words = sentence_of(&self.words, self.labels.templates.columns, first, n)
        cdef View view
        clear_tree(&work.tree, n)
        for i in range(n):
            if heads[i] != NOTHING:
                add_arc(&work.tree, heads[i], i + 1, labels[i])
        nodes_of_label(&self.labels, &work.tree, &words, parent, child, &view)
        count = keys_of_label(&self.labels, &work.tree, &words, parent, child, work.keys)
        nodes = np.array([view.node[i] for i in range(self.labels.templates.addresses)], np.int32)
        known = np.array([work.tree.label[node] if node >= 0 else NOTHING for node in nodes.tolist()], np.int32)
        values = np.array([view.value[i] for i in range(self.labels.templates.slots)], np.uint64)
        found = np.array([work.keys[i] for i in range(count)], np.uint64)
        return nodes, known, values, found

    def write(
        self, const int[::1] offsets, const int[::1] heads, const int[::1] labels, long long[::1] start,
        uint64_t[::1] keys,
    ):
        """Write the keys of each word's arc where all labels before it are right; how many there are.

        With an empty `keys` they are only counted, and `start` says where those of each word begin and the last end.
        """
        cdef LabelWork work = LabelWork(self, offsets)
        cdef Words words
        cdef int s, w, n, count
        cdef bint writing = keys.shape[0] > 0
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                n = offsets[s + 1] - offsets[s]
                words = sentence_of(&self.words, self.labels.templates.columns, offsets[s], n)
                grow(&work.tree, &heads[offsets[s]] - 1, n)
                w = next_word(&work.tree, 0)
                while w:
                    count = work.find_keys(&self.labels, &words, w)
                    if writing:
                        memcpy(&keys[start[offsets[s] + w - 1]], work.keys, count * sizeof(uint64_t))
                    else:
                        start[offsets[s] + w] = count
                    work.tree.label[w] = labels[offsets[s] + w - 1]
                    w = next_word(&work.tree, w)
            if not writing:
                start[0] = 0
                for w in range(<int> start.shape[0] - 1):
                    start[w + 1] += start[w]
        return start[start.shape[0] - 1]

    def label(
        self, Lookup known, const long long[::1] start, const int[::1] classes, const float[::1] weights,
        const int[::1] offsets, const int[::1] heads, int[::1] labels, float[:, ::1] evidence=None,
        float[:, ::1] label_scores=None,
    ):
        """Label trees: heads before their children, from left to right, each with the best label.

        How far it is above the best other one goes into a column of `evidence` (kernels/graph/evidence.pxd), the scores
        of all into `label_scores`.
        """
        cdef LabelWork work = LabelWork(self, offsets)
        cdef Words words
        cdef int s, w, n, i, count, best
        cdef double* scores = work.scores
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                n = offsets[s + 1] - offsets[s]
                words = sentence_of(&self.words, self.labels.templates.columns, offsets[s], n)
                grow(&work.tree, &heads[offsets[s]] - 1, n)
                w = next_word(&work.tree, 0)
                while w:
                    memset(scores, 0, self.labels.count * sizeof(double))
                    count = work.find_keys(&self.labels, &words, w)
                    for i in range(count):
                        add_weights(&known.slots, work.keys[i], start, classes, weights, scores)
                    best = best_but(scores, self.labels.count, -1)
                    if label_scores is not None:
                        for i in range(self.labels.count):
                            label_scores[offsets[s] + w - 1, i] = <float> scores[i]
                    work.tree.label[w] = best
                    labels[offsets[s] + w - 1] = best
                    if evidence is not None:
                        i = best_but(scores, self.labels.count, best)
                        evidence[offsets[s] + w - 1, LABEL] = <float> (scores[best] - scores[i]) if i >= 0 else INFINITY
                    w = next_word(&work.tree, w)
