"""Features of an arc's label, and the scores of all labels by the hash kernel.

Addresses begin at the parent or the child of the arc and lead to other nodes of the tree. A key leads to a row of
weights with a place for every label; rows begin at different labels, so that frequent ones of different features
seldom meet.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from headway.kernels.features.templates cimport STEP, Templates, View, Words, keys_of, take_values
from headway.kernels.graph.arcs cimport Weight
from headway.kernels.trees.tree cimport NOTHING, ROOT, Tree, add_arc, clear_tree
from headway.kernels.weights.hardware cimport prefetch

cdef enum:
    FROM_PARENT, FROM_CHILD


cdef struct LabelFeatures:
    int count               # labels
    Templates templates
    int width               # of a row, a power of two
    int shift               # key >> shift is the number of a row
    size_t offset           # of the first row among all weights


cdef inline int best_label(const LabelFeatures* labels, const float* scores) noexcept nogil:
    """The first of the labels whose score is best."""
    cdef int label, best = 0
    for label in range(1, labels.count):
        if scores[label] > scores[best]:
            best = label
    return best


ctypedef fused Score:
    float
    double


cdef inline int best_but(const Score* scores, int count, int without) noexcept nogil:
    """The first of the best scores other than number `without`; -1 where there is no other."""
    cdef int i, best = -1
    for i in range(count):
        if i != without and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


cdef inline size_t place_of(const LabelFeatures* labels, uint64_t key, int label) noexcept nogil:
    """Where the weight of a label for a key lies among all weights."""
    return labels.offset + (key >> labels.shift) * labels.width + ((key + label) & (labels.width - 1))


cdef inline void grow(Tree* tree, const int* heads, int n) noexcept nogil:
    """The tree of these heads, heads[1] to heads[n], without labels."""
    cdef int word
    clear_tree(tree, n)
    for word in range(1, n + 1):
        add_arc(tree, heads[word], word, NOTHING)


cdef inline int next_word(const Tree* tree, int word) noexcept nogil:
    """The word after this one where heads come before children and siblings from left to right; ROOT at the end."""
    if tree.first[word] != NOTHING:
        return tree.first[word]
    while word != ROOT and tree.after[word] == NOTHING:
        word = tree.head[word]
    return tree.after[word] if word != ROOT else ROOT


cdef inline void nodes_of_label(
    const LabelFeatures* labels, const Tree* tree, const Words* words, int parent, int child, View* view
) noexcept nogil:
    """Find the nodes and values that the features of an arc's label look at."""
    cdef const Templates* model = &labels.templates
    cdef int i
    for i in range(model.addresses):
        if model.address[3 * i] != STEP:
            view.node[i] = parent if model.address[3 * i] == FROM_PARENT else child
    take_values(model, tree, words, view)


cdef inline int keys_of_label(
    const LabelFeatures* labels, const Tree* tree, const Words* words, int parent, int child, uint64_t* keys
) noexcept nogil:
    """Write the keys of all features of an arc's label and return how many there are.

    Where no step leads along the tree, only its number of words is looked at.
    """
    cdef const Templates* model = &labels.templates
    cdef View view
    nodes_of_label(labels, tree, words, parent, child, &view)
    return keys_of(model, words, &view, 0, model.templates, keys)


cdef inline void score_labels(
    const LabelFeatures* labels, const Weight* weights, const uint64_t* keys, int count, float* scores
) noexcept nogil:
    """Scores of all labels: the sums of the weights of these features."""
    cdef int i, j, begin, whole
    cdef const Weight* row
    memset(scores, 0, labels.count * sizeof(float))
    for i in range(count):
        row = weights + labels.offset + (keys[i] >> labels.shift) * labels.width
        j = 0
        while j < labels.width:
            prefetch(row + j)
            j += 64 // sizeof(Weight)
    for i in range(count):
        row = weights + labels.offset + (keys[i] >> labels.shift) * labels.width
        begin = keys[i] & (labels.width - 1)
        whole = labels.width - begin if labels.width - begin < labels.count else labels.count
        for j in range(whole):
            scores[j] += row[begin + j]
        for j in range(whole, labels.count):
            scores[j] += row[begin + j - labels.width]
