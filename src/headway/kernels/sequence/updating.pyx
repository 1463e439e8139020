"""Steps on the weights in use: towards choices that are right, position by position."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from headway.kernels.memory cimport Memory
from headway.kernels.sequence.model cimport (
    ChoiceTable, Choices, Sequence, SequenceTable, SequenceTemplates, allowed_at, best_of, keys_at, parts_apart,
    score_of,
)
from headway.kernels.weights.packed cimport Row, evaluate
from headway.kernels.weights.updating cimport OwnWeights


def step_towards(
    SequenceTable table not None, ChoiceTable possible not None, OwnWeights own not None,
    const uint64_t[:, ::1] keys not None, const int[::1] offsets not None, const uint64_t[:, ::1] attributes not None,
    const int[::1] sets not None, const int[::1] chosen not None, const unsigned char[::1] wanted not None,
    double margin,
):
    """Passive-aggressive steps that let choices win by a margin at the positions that are `wanted`; how many were made.

    `chosen` has the choice of each position, right where it is wanted; decisions before a position are those. Weights
    of rare features, which have few, move further.
    """
    cdef SequenceTemplates* model = &table.templates
    cdef Choices* choices = &possible.choices
    cdef Sequence sequence
    cdef Memory memory = Memory()
    cdef uint64_t* found = <uint64_t*> memory.take(model.templates, sizeof(uint64_t))
    cdef Row* places = <Row*> memory.take(model.templates, sizeof(Row))
    cdef int* plus = <int*> memory.take(possible.most_parts, sizeof(int))
    cdef int* minus = <int*> memory.take(possible.most_parts, sizeof(int))
    cdef float* scores = <float*> memory.take(choices.parts, sizeof(float))
    cdef const int* member
    cdef int s, i, first, last, count, allowed, right, wrong, rights, wrongs, steps = 0
    cdef Py_ssize_t words = keys.shape[0]
    cdef double ahead
    if (
        not words == sets.shape[0] == chosen.shape[0] == wanted.shape[0] or keys.shape[1] < model.columns
        or attributes.shape[1] < model.attributes or attributes.shape[0] < choices.count
        or own.classes != choices.parts
    ):
        raise ValueError("the arrays do not fit each other")
    if offsets.shape[0] < 1 or offsets[0] != 0 or offsets[offsets.shape[0] - 1] != words:
        raise ValueError("the sequences are not those of the positions")
    for s in range(<int> offsets.shape[0] - 1):
        if offsets[s + 1] < offsets[s]:
            raise ValueError("a sequence ends before it begins")
    for i in range(<int> words):
        if not 0 <= chosen[i] < choices.count or not -1 <= sets[i] < choices.sets:
            raise ValueError(f"there is no choice {chosen[i]}, or no set {sets[i]}")
    for s in range(<int> offsets.shape[0] - 1):
        first, last = offsets[s], offsets[s + 1]
        sequence.n = last - first
        if sequence.n == 0:
            continue
        sequence.keys, sequence.attributes = &keys[first, 0], &attributes[0, 0]
        for i in range(sequence.n):
            if not wanted[first + i]:
                continue
            right = chosen[first + i]
            count = keys_at(model, &sequence, i, &chosen[first], 0, model.templates, found)
            memset(scores, 0, choices.parts * sizeof(float))
            evaluate(own.model(), found, count, places, scores)
            allowed = allowed_at(choices, sets[first + i], &member)
            wrong = best_of(choices, scores, member, allowed, right)
            if wrong < 0:
                continue
            ahead = score_of(choices, scores, right) - score_of(choices, scores, wrong)
            rights, wrongs = parts_apart(choices, right, wrong, plus), parts_apart(choices, wrong, right, minus)
            steps += own.step(found, count, plus, rights, minus, wrongs, ahead, margin)
    return steps
