"""Weights for parsing: read-only arrays that may lie in a mapped file.

`slots` is a hash table: the upper half of a slot is the upper half of a feature's key, the lower half where its row
begins in `rows`, 0 where the slot is free. A row is a number of weights n and their classes, as 16-bit numbers, then
n floats; n = 0xffff means a dense row, a float for every class.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from headway.kernels.weights.memory cimport prefetch
from headway.kernels.weights.vectors cimport add_row


cdef struct Model:
    int classes
    uint64_t size       # slots
    const uint64_t* slots
    uint64_t extent     # 32-bit numbers in all rows
    const uint32_t* rows


cdef inline uint64_t slot_of(uint64_t key, uint64_t size) noexcept nogil:
    """Where the search for a key begins in a table of `size` slots: its lower half, spread over the table."""
    return (<uint64_t> <uint32_t> key * size) >> 32


cdef enum:
    LINE = 16           # 32-bit numbers that memory brings at once


cdef inline void fetch_slots(const Model* model, const uint64_t* keys, int count) noexcept nogil:
    """Let memory bring the slots of features, which decides the speed: `find_rows` is to follow some time later."""
    cdef int i
    for i in range(count):
        prefetch(&model.slots[slot_of(keys[i], model.size)])


cdef inline int find_rows(const Model* model, const uint64_t* keys, int count, uint32_t* places) noexcept nogil:
    """Write where the rows of features begin, and return how many features have one; memory begins to bring them."""
    cdef int i, found = 0
    cdef uint64_t at, slot, upper, _probe
    for i in range(count):
        at = slot_of(keys[i], model.size)
        upper = keys[i] >> 32
        for _probe in range(model.size):
            slot = model.slots[at]
            if slot == 0:
                break
            if slot >> 32 == upper:
                places[found] = <uint32_t> slot
                if places[found] < model.extent:
                    prefetch(&model.rows[places[found]])
                    if <uint64_t> places[found] + LINE < model.extent:
                        prefetch(&model.rows[places[found] + LINE])
                    found += 1
                break
            at = at + 1 if at + 1 < model.size else 0
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
        if places[i] + <uint64_t> (1 + classes if n == 0xffff else 1 + n // 2 + n) > model.extent:
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
