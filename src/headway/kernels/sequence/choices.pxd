"""What a sequence model chooses between: choices that are made of parts, and sets of choices that a position allows.

Weights belong to parts; the score of a choice is the sum of those of its parts. A tag with its morphological features
is made of its part of speech, each of its features and the whole, so that what is learned of the nominative in one tag
holds in all. Müller, Schmid and Schütze (2013).
"""

from libc.stdint cimport uint64_t

cdef struct Choices:
    int count
    int parts                   # in all; as many as weights have classes
    int most                    # choices in a set at the most
    const int* start            # choice c has the parts member[start[c] : start[c + 1]], ascending
    const int* member
    int sets
    const int* set_start        # set s has the choices set_member[set_start[s] : set_start[s + 1]], ascending
    const int* set_member


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


cdef inline int allowed_at(const Choices* choices, int which, const int** member) noexcept nogil:
    """The choices of a set, NULL for all of them; returns how many there are."""
    if which < 0:
        member[0] = NULL
        return choices.count
    member[0] = choices.set_member + choices.set_start[which]
    return choices.set_start[which + 1] - choices.set_start[which]
