"""Weights for parsing: read-only arrays that may lie in a mapped file.

`slots` is a hash table: the upper half of a slot is the upper half of a feature's key, the lower half where its row
begins in `rows`, 0 where the slot is free. A row is a number of weights n and their classes, as 16-bit numbers, then
n floats; n = 0xffff means a dense row, a float for every class.

Features that corrections have brought stand in a second table at the end of `slots`, which can grow since it has whole
keys: pairs of a key and where its row begins, 0 where the pair is free. `rows[0]` is the number of pairs.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from headway.kernels.weights.hardware cimport add_row, prefetch


cdef struct Model:
    int classes
    uint64_t size       # slots of the first table
    const uint64_t* slots
    uint64_t added      # pairs of the second table
    const uint64_t* pairs
    uint64_t extent     # 32-bit numbers in all rows
    const uint32_t* rows


cdef inline Model model_of(const uint64_t[::1] slots, const uint32_t[::1] rows, int classes):
    """The weights in two arrays."""
    cdef Model model
    model.classes, model.extent, model.rows = classes, rows.shape[0], &rows[0]
    model.added = rows[0] if 2 * <uint64_t> rows[0] < <uint64_t> slots.shape[0] else 0
    model.size, model.slots = slots.shape[0] - 2 * model.added, &slots[0]
    model.pairs = model.slots + model.size
    return model


cdef inline uint64_t slot_of(uint64_t key, uint64_t size) noexcept nogil:
    """Where the search for a key begins in a table of `size` slots: its lower half, spread over the table."""
    return (<uint64_t> <uint32_t> key * size) >> 32


cdef inline int length_of(int n, int classes) noexcept nogil:
    """How many 32-bit numbers a row takes that says it has n weights."""
    return 1 + classes if n == 0xffff else 1 + n // 2 + n


cdef enum:
    LINE = 16           # 32-bit numbers that memory brings at once


cdef inline void fetch_slots(const Model* model, const uint64_t* keys, int count) noexcept nogil:
    """Let memory bring the slots of features, which decides the speed: `find_rows` is to follow some time later."""
    cdef int i
    for i in range(count):
        prefetch(&model.slots[slot_of(keys[i], model.size)])


cdef inline const uint64_t* slot_with(const Model* model, uint64_t key) noexcept nogil:
    """The number whose lower half says where the row of a feature begins, NULL for a feature without a row."""
    cdef uint64_t at = slot_of(key, model.size), upper = key >> 32, slot, _probe
    for _probe in range(model.size):
        slot = model.slots[at]
        if slot == 0:
            break
        if slot >> 32 == upper:
            return &model.slots[at]
        at = at + 1 if at + 1 < model.size else 0
    if model.added:
        at = slot_of(key, model.added)
        for _probe in range(model.added):
            if model.pairs[2 * at + 1] == 0:
                break
            if model.pairs[2 * at] == key:
                return &model.pairs[2 * at + 1]
            at = at + 1 if at + 1 < model.added else 0
    return NULL


cdef inline int find_rows(const Model* model, const uint64_t* keys, int count, uint32_t* places) noexcept nogil:
    """Write where the rows of features begin, and return how many features have one; memory begins to bring them."""
    cdef int i, found = 0
    cdef const uint64_t* slot
    for i in range(count):
        slot = slot_with(model, keys[i])
        if slot == NULL:
            continue
        places[found] = <uint32_t> slot[0]
        if places[found] < model.extent:
            prefetch(&model.rows[places[found]])
            if <uint64_t> places[found] + LINE < model.extent:
                prefetch(&model.rows[places[found] + LINE])
            found += 1
    return found


cdef inline void add_rows(
    const Model* model, const uint32_t* places, int found, float* scores, const int* wanted, int many
) noexcept nogil:
    """Add to the scores of classes the rows that were found.

    Only the scores of `many` wanted classes are asked for, of all where `wanted` is NULL; those of others mean nothing
    then. What a forged file may say about places and classes leads nowhere outside the arrays.
    """
    cdef int i, j, n, classes = model.classes
    cdef const uint32_t* row
    cdef const uint16_t* which
    cdef const float* numbers
    for i in range(found):
        row = model.rows + places[i]
        which = <const uint16_t*> row
        n = which[0]
        if places[i] + <uint64_t> length_of(n, classes) > model.extent:
            continue
        if n == 0xffff:
            numbers = <const float*> (row + 1)
            if wanted == NULL:
                add_row(scores, numbers, classes)
            else:
                for j in range(many):
                    scores[wanted[j]] += numbers[wanted[j]]
        else:
            numbers = <const float*> (row + 1 + n // 2)
            for j in range(n):
                if which[1 + j] < classes:
                    scores[which[1 + j]] += numbers[j]


cdef inline void evaluate(
    const Model* model, const uint64_t* keys, int count, uint32_t* places, float* scores
) noexcept nogil:
    """Add to the scores of all classes the weights of features by key. `places` has room for `count` numbers."""
    fetch_slots(model, keys, count)
    add_rows(model, places, find_rows(model, keys, count, places), scores, NULL, 0)
