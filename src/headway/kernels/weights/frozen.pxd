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


cdef inline int find_rows(const Model* model, const uint64_t* keys, int count, uint32_t* places) noexcept nogil:
    """Write where the rows of features begin, and return how many features have one.

    Memory decides the speed: slots are fetched ahead for all features, then the rows for those that were found.
    """
    cdef int i, found = 0
    cdef uint64_t at, slot, upper, _probe
    for i in range(count):
        at = slot_of(keys[i], model.size)
        prefetch(&model.slots[at])
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


cdef inline void evaluate_some(
    const Model* model, const uint64_t* keys, int count, uint32_t* places, float* scores, const int* wanted, int many
) noexcept nogil:
    """Add to the scores of classes the weights of features by key. `places` has room for `count` numbers.

    Only the scores of `many` wanted classes are asked for; those of others mean nothing then. What a forged file may
    say about places and classes leads nowhere outside the arrays.
    """
    cdef int i, j, n, classes = model.classes, found = find_rows(model, keys, count, places)
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
    evaluate_some(model, keys, count, places, scores, NULL, 0)
