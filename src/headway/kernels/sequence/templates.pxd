"""Features of a position in a sequence: slots take values from positions nearby, templates mix values to keys.

The arrays come from `headway.features.sequences`. A slot is (kind, offset, argument): the key in column `argument` of
the position so far away, or the key of attribute `argument` of what was decided there. A value of 0 says nothing, and
a template with such a value is left out; beyond the ends of the sequence stand values of their own. Templates that
look at no decision come first.
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport mix

cdef enum:
    COLUMN = 0
    DECISION = 1

cdef enum:
    BEFORE = 0x51ed270b
    AFTER = 0x2545f491


cdef struct SequenceTemplates:
    int templates
    int fixed                   # so many look at no decision
    int columns
    int attributes
    const int* slot
    const int* start            # template t has the slots member[start[t] : start[t + 1]]
    const int* member
    const uint64_t* seed


cdef struct Sequence:           # the positions of one sequence
    int n
    const uint64_t* keys        # `columns` for each position
    const uint64_t* attributes  # `attributes` for each class


cdef class SequenceTable:
    cdef SequenceTemplates templates
    cdef object keep


cdef inline int keys_at(
    const SequenceTemplates* model, const Sequence* sequence, int at, const int* decided, int first, int end,
    uint64_t* keys
) noexcept nogil:
    """Write the keys of templates `first` to `end` at a position, and return how many there are.

    `decided[i]` is the class of position i, for all before `at` that slots look back to.
    """
    cdef int t, j, place, count = 0
    cdef const int* slot
    cdef uint64_t key, value
    for t in range(first, end):
        key = model.seed[t]
        for j in range(model.start[t], model.start[t + 1]):
            slot = model.slot + 3 * model.member[j]
            place = at + slot[1]
            if place < 0:
                value = BEFORE
            elif place >= sequence.n:
                value = AFTER
            elif slot[0] == COLUMN:
                value = sequence.keys[<size_t> place * model.columns + slot[2]]
            else:
                value = sequence.attributes[<size_t> decided[place] * model.attributes + slot[2]]
            if value == 0:
                break
            key = mix(key, value)
        else:
            keys[count] = key
            count += 1
    return count
