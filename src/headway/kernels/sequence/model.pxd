"""A sequence model: the features of a position, and the choices between which it decides.

Slots take values from positions nearby, templates mix values to keys; the arrays come from
`headway.features.sequences`. A slot is (kind, offset, argument): the key in column `argument` of the position so far
away, or the key of attribute `argument` of what was decided there. A value of 0 says nothing, and a template with such
a value is left out; beyond the ends of the sequence stand values of their own. Templates that look at no decision come
first.

Choices are made of parts, and a position may allow a set of them only. Weights belong to parts; the score of a choice
is the sum of those of its parts. A tag with its morphological features is made of its part of speech, each of its
features and the whole, so that what is learned of the nominative in one tag holds in all. Müller, Schmid and Schütze
(2013).
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport mix

cdef enum:
    COLUMN, DECISION

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


cdef struct Choices:
    int count
    int parts                   # in all; as many as weights have classes
    int most                    # choices in a set at the most
    const int* start            # choice c has the parts member[start[c] : start[c + 1]], ascending
    const int* member
    int sets
    int known                   # so many of them, the first ones, stand in these lists, and the others in `more`
    const int* set_start        # set s has the choices set_member[set_start[s] : set_start[s + 1]], ascending
    const int* set_member
    const int* more_start
    const int* more_member


cdef class ChoiceTable:
    cdef Choices choices
    cdef int most_parts         # of one choice
    cdef object keep


cdef inline float score_of(const Choices* choices, const float* scores, int choice) noexcept nogil:
    """The score of a choice from those of all parts."""
    cdef int j
    cdef float total = 0
    for j in range(choices.start[choice], choices.start[choice + 1]):
        total += scores[choices.member[j]]
    return total


cdef inline int best_of(
    const Choices* choices, const float* scores, const int* member, int allowed, int without
) noexcept nogil:
    """The best of the allowed choices other than `without`, from the scores of all parts; -1 where there is none."""
    cdef int j, c, best = -1
    cdef float value, most = 0
    for j in range(allowed):
        c = j if member == NULL else member[j]
        if c != without:
            value = score_of(choices, scores, c)
            if best < 0 or value > most:
                best, most = c, value
    return best


cdef inline int allowed_at(const Choices* choices, int which, const int** member) noexcept nogil:
    """The choices of a set, NULL for all of them; returns how many there are."""
    if which < 0:
        member[0] = NULL
        return choices.count
    if which < choices.known:
        member[0] = choices.set_member + choices.set_start[which]
        return choices.set_start[which + 1] - choices.set_start[which]
    which -= choices.known
    member[0] = choices.more_member + choices.more_start[which]
    return choices.more_start[which + 1] - choices.more_start[which]


cdef inline int parts_apart(const Choices* choices, int choice, int other, int* parts) noexcept nogil:
    """The parts that a choice has and another has not; returns how many."""
    cdef int i = choices.start[choice], j = choices.start[other], count = 0
    while i < choices.start[choice + 1]:
        while j < choices.start[other + 1] and choices.member[j] < choices.member[i]:
            j += 1
        if j == choices.start[other + 1] or choices.member[j] != choices.member[i]:
            parts[count] = choices.member[i]
            count += 1
        i += 1
    return count
