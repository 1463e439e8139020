"""See labels.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from headway.kernels.arcs cimport NO_WORD, THE_ROOT, Text, Weight, mix

cdef extern from *:
    """
    #define PREFETCH_WEIGHTS(address) __builtin_prefetch(address)
    """
    void PREFETCH_WEIGHTS(const void*) noexcept nogil

cdef enum:
    NOTHING = -1
    ROOT = 0
    NO_LABEL = 0x632be5ab

cdef enum:
    HEAD = 0
    FIRST_CHILD = 1
    LAST_CHILD = 2
    LEFT_SIBLING = 3
    RIGHT_SIBLING = 4
    PREVIOUS_WORD = 5
    FOLLOWING_WORD = 6
    FIRST_LEFT_CHILD = 7
    LAST_RIGHT_CHILD = 8
    SECOND_LEFT_CHILD = 9
    SECOND_RIGHT_CHILD = 10

MOST = {"addresses": MOST_ADDRESSES, "slots": MOST_SLOTS}
PLACES = {"PARENT": FROM_PARENT, "CHILD": FROM_CHILD, "step": STEP}
SLOTS = {
    "column": COLUMN,
    "DEP": LABEL,
    "DISTANCE": DISTANCE,
    "LEFT": LEFT_VALENCY,
    "RIGHT": RIGHT_VALENCY,
    "FEAT": EACH_FEATURE,
    "SIDE": SIDE,
}


cdef bint reserve_tree(Tree* tree, int longest) noexcept nogil:
    """Room for trees of up to `longest` words; False where memory is short. All zeros before the first call."""
    cdef size_t rows = longest + 2
    cdef int* block
    if tree.room >= longest and tree.head != NULL:
        return True
    release_tree(tree)
    block = <int*> calloc(8 * rows, sizeof(int))
    if block == NULL:
        return False
    tree.room = longest
    tree.head, tree.label, tree.first, tree.last = block, block + rows, block + 2 * rows, block + 3 * rows
    tree.before, tree.after = block + 4 * rows, block + 5 * rows
    tree.left, tree.right = block + 6 * rows, block + 7 * rows
    return True


cdef void release_tree(Tree* tree) noexcept nogil:
    free(tree.head)
    tree.head = NULL
    tree.room = 0


cdef void grow(Tree* tree, const int* heads, int n) noexcept nogil:
    """The tree of these heads, heads[1] to heads[n], without labels."""
    cdef int w, h
    tree.n = n
    for w in range(n + 1):
        tree.head[w] = heads[w] if w else NOTHING
        tree.label[w] = tree.first[w] = tree.last[w] = tree.before[w] = tree.after[w] = NOTHING
        tree.left[w] = tree.right[w] = 0
    for w in range(1, n + 1):
        h = heads[w]
        tree.before[w] = tree.last[h]
        if tree.last[h] == NOTHING:
            tree.first[h] = w
        else:
            tree.after[tree.last[h]] = w
        tree.last[h] = w
        if w < h:
            tree.left[h] += 1
        else:
            tree.right[h] += 1


cdef int next_word(const Tree* tree, int word) noexcept nogil:
    """The word after this one where heads come before children and siblings from left to right; ROOT at the end."""
    if tree.first[word] != NOTHING:
        return tree.first[word]
    while word != ROOT and tree.after[word] == NOTHING:
        word = tree.head[word]
    return tree.after[word] if word != ROOT else ROOT


cdef inline int step(const Tree* tree, int node, int how) noexcept nogil:
    """The node that one step leads to from a node that exists."""
    if how == HEAD:
        return tree.head[node]
    if how == FIRST_CHILD:
        return tree.first[node]
    if how == LAST_CHILD:
        return tree.last[node]
    if how == LEFT_SIBLING:
        return tree.before[node]
    if how == RIGHT_SIBLING:
        return tree.after[node]
    if how == PREVIOUS_WORD:
        return node - 1 if node > 1 else NOTHING
    if how == FOLLOWING_WORD:
        return node + 1 if ROOT < node < tree.n else NOTHING
    if how == FIRST_LEFT_CHILD:
        return tree.first[node] if tree.left[node] > 0 else NOTHING
    if how == LAST_RIGHT_CHILD:
        return tree.last[node] if tree.right[node] > 0 else NOTHING
    if how == SECOND_LEFT_CHILD:
        return tree.after[tree.first[node]] if tree.left[node] > 1 else NOTHING
    return tree.before[tree.last[node]] if tree.right[node] > 1 else NOTHING


cdef inline uint64_t distance(int a, int b) noexcept nogil:
    cdef int gap = a - b if a > b else b - a
    if a == NOTHING or b == NOTHING:
        return NO_WORD
    if a == ROOT or b == ROOT:
        return THE_ROOT
    return gap if gap <= 5 else 6 if gap <= 10 else 7


cdef int keys_of(
    const Labels* labels, const Tree* tree, const Text* text, int parent, int child, uint64_t* keys
) noexcept nogil:
    """Write the keys of all features of an arc's label and return how many there are.

    Where no step leads along the tree, only its number of words is looked at.
    """
    cdef int[MOST_ADDRESSES] node
    cdef uint64_t[MOST_SLOTS] value
    cdef int i, j, kind, place, each, count = 0
    cdef const int* entry
    cdef uint64_t key
    for i in range(labels.addresses):
        entry = labels.address + 3 * i
        if entry[0] == STEP:
            node[i] = node[entry[2]]
            if node[i] != NOTHING:
                node[i] = step(tree, node[i], entry[1])
        else:
            node[i] = parent if entry[0] == FROM_PARENT else child
    for i in range(labels.slots):
        entry = labels.slot + 3 * i
        place, kind = node[entry[1]], entry[0]
        if place == NOTHING:
            value[i] = NO_WORD
        elif kind == COLUMN:
            value[i] = text.keys[<size_t> (place - 1) * labels.columns + entry[2]] if place > ROOT else THE_ROOT
        elif kind == LABEL:
            value[i] = labels.keys[tree.label[place]] if place > ROOT and tree.label[place] >= 0 else NO_LABEL
        elif kind == DISTANCE:
            value[i] = distance(place, node[entry[2]])
        elif kind == SIDE:
            value[i] = place < node[entry[2]]
        elif kind == LEFT_VALENCY:
            value[i] = tree.left[place]
        elif kind == RIGHT_VALENCY:
            value[i] = tree.right[place]
        else:
            value[i] = place
    for i in range(labels.templates):
        key = labels.seed[i]
        each = -1
        for j in range(labels.start[i], labels.start[i + 1]):
            if labels.slot[3 * labels.member[j]] == EACH_FEATURE:
                each = labels.member[j]
            else:
                key = mix(key, value[labels.member[j]])
        if each < 0:
            keys[count] = key
            count += 1
        else:
            place = node[labels.slot[3 * each + 1]]
            if place > ROOT:
                for j in range(text.feature_start[place - 1], text.feature_start[place]):
                    keys[count] = mix(key, text.features[j])
                    count += 1
    return count


cdef void score_labels(
    const Labels* labels, const Weight* weights, const uint64_t* keys, int count, float* scores
) noexcept nogil:
    """Scores of all labels: the sums of the weights of these features."""
    cdef int i, j, begin, whole
    cdef const Weight* row
    memset(scores, 0, labels.count * sizeof(float))
    for i in range(count):
        row = weights + labels.offset + (keys[i] >> labels.shift) * labels.width
        j = 0
        while j < labels.width:
            PREFETCH_WEIGHTS(row + j)
            j += 64 // sizeof(Weight)
    for i in range(count):
        row = weights + labels.offset + (keys[i] >> labels.shift) * labels.width
        begin = keys[i] & (labels.width - 1)
        whole = labels.width - begin if labels.width - begin < labels.count else labels.count
        for j in range(whole):
            scores[j] += row[begin + j]
        for j in range(whole, labels.count):
            scores[j] += row[begin + j - labels.width]
