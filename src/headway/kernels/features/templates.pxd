"""Features of nodes of a tree: addresses lead to nodes, slots take values from them, templates mix values to keys.

The arrays come from `headway.features.compile`. An address is (kind, argument, parent): a place to begin at, which is
for those who ask to find (kinds below STEP), or one step from another address. A slot is (kind, address, argument). A
template is a list of slots.
"""

from libc.stdint cimport uint64_t

from headway.kernels.trees.tree cimport NOTHING, ROOT, Tree, step

cdef enum:
    MOST_ADDRESSES = 128
    MOST_SLOTS = 512

cdef enum:
    STEP = 2

cdef enum:
    COLUMN, LABEL, DISTANCE, LEFT_VALENCY, RIGHT_VALENCY, EACH_FEATURE, SIDE

cdef enum:
    NO_NODE = 0x51ed270b
    THE_ROOT = 0x2545f491
    NO_LABEL = 0x632be5ab


cdef struct Templates:
    int addresses
    int slots
    int templates
    int columns
    const int* address
    const int* slot
    const int* start            # template t has the slots member[start[t] : start[t + 1]]
    const int* member
    const uint64_t* seed
    int parts
    const int* part             # part p has the templates part[p] : part[p + 1]
    const int* base             # the address whose node decides about a part; -1 for part 0, which no node decides


cdef struct View:
    int[MOST_ADDRESSES] node
    uint64_t[MOST_SLOTS] value


cdef struct Words:              # of a sentence
    int n
    const uint64_t* keys        # of word 1 at [0], `columns` for each word
    const int* feature_start    # single features of word w at features[feature_start[w - 1] : feature_start[w]]
    const uint64_t* features
    const uint64_t* labels      # key of each label


cdef inline Words sentence_of(const Words* words, int columns, int first, int n) noexcept nogil:
    """Of the words of a treebank those of the sentence of n words that begins with word number `first`."""
    cdef Words own = words[0]
    own.n = n
    own.keys += <size_t> first * columns
    own.feature_start += first
    return own


cdef inline uint64_t mix(uint64_t key, uint64_t value) noexcept nogil:
    key = (key ^ value) * <uint64_t> 0x9E3779B97F4A7C15
    return key ^ (key >> 32)


cdef inline int length_class(int gap) noexcept nogil:
    """Lengths up to 5 each on their own, then to 10, then beyond: 1 to 7."""
    return gap if gap <= 5 else 6 if gap <= 10 else 7


cdef inline uint64_t distance(int a, int b) noexcept nogil:
    """The class of the distance. The root is at no distance from anything."""
    cdef int gap = a - b if a > b else b - a
    if a == NOTHING or b == NOTHING:
        return NO_NODE
    if a == ROOT or b == ROOT:
        return THE_ROOT
    return length_class(gap)


cdef inline void take_values(
    const Templates* model, const Tree* tree, const Words* words, View* view
) noexcept nogil:
    """Take all steps from the nodes that addresses begin at, and the values of all slots."""
    cdef int i, kind, place
    cdef const int* entry
    for i in range(model.addresses):
        entry = model.address + 3 * i
        if entry[0] == STEP:
            view.node[i] = view.node[entry[2]]
            if view.node[i] != NOTHING:
                view.node[i] = step(tree, view.node[i], entry[1])
    for i in range(model.slots):
        entry = model.slot + 3 * i
        place = view.node[entry[1]]
        kind = entry[0]
        if place == NOTHING:
            view.value[i] = NO_NODE
        elif kind == COLUMN:
            view.value[i] = words.keys[<size_t> (place - 1) * model.columns + entry[2]] if place > ROOT else THE_ROOT
        elif kind == LABEL:
            view.value[i] = words.labels[tree.label[place]] if tree.label[place] >= 0 else NO_LABEL
        elif kind == DISTANCE:
            view.value[i] = distance(place, view.node[entry[2]])
        elif kind == LEFT_VALENCY:
            view.value[i] = tree.left[place]
        elif kind == RIGHT_VALENCY:
            view.value[i] = tree.right[place]
        elif kind == SIDE:
            view.value[i] = place < view.node[entry[2]]
        else:
            view.value[i] = place


cdef inline int keys_of(
    const Templates* model, const Words* words, const View* view, int first, int end, uint64_t* keys
) noexcept nogil:
    """Write the keys of the templates `first` to `end` to `keys` and return how many there are."""
    cdef int i, j, place, count = 0, each
    cdef uint64_t key
    for i in range(first, end):
        key = model.seed[i]
        each = -1
        for j in range(model.start[i], model.start[i + 1]):
            if model.slot[3 * model.member[j]] == EACH_FEATURE:
                each = model.member[j]
            else:
                key = mix(key, view.value[model.member[j]])
        if each < 0:
            keys[count] = key
            count += 1
        else:
            place = view.node[model.slot[3 * each + 1]]
            if place > ROOT:
                for j in range(words.feature_start[place - 1], words.feature_start[place]):
                    keys[count] = mix(key, words.features[j])
                    count += 1
    return count


cdef class TemplateTable:
    cdef Templates templates    # `columns` is for those who know the words
    cdef int columns            # how many columns of words they look at
    cdef int of_each            # templates that have a feature for each morphological feature of a word
    cdef object keep


cdef class WordTable:
    cdef Words words            # of all sentences; `labels` is for those who know them
    cdef int count
    cdef int columns
    cdef int most_features      # morphological features of one word
    cdef object keep


cdef Templates templates_over(TemplateTable table, WordTable words) except *
cdef int most_keys(TemplateTable table, WordTable words) noexcept nogil
