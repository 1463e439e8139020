"""Features as columns: what each configuration on the way of the static oracle has, computed once for many models."""

from libc.stdint cimport uint8_t, uint64_t

import numpy as np

from headway.kernels.features.lookup cimport Slots, number_of, release_slots, reserve_slots
from headway.kernels.features.templates cimport View, Words, mix, sentence_of
from headway.kernels.memory cimport Memory
from headway.kernels.transition.examples cimport Examples
from headway.kernels.transition.features cimport look
from headway.kernels.transition.setup cimport (
    ParserSetup, Workspace, derivation_workspace, first_action, next_action,
)
from headway.kernels.transition.state cimport FINE
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.trees.tree cimport NOTHING

cdef enum:
    AT_ONCE = 64        # configurations of which one column after the other is copied


cdef long long count(ParserSetup setup, const int[::1] offsets, const int[::1] heads) except -1:
    """How many configurations there are on the way of the static oracle: about 2 n for n words, more with SWAP."""
    cdef Workspace space = derivation_workspace(setup.longest)
    cdef int s, action
    cdef long long found = 0
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            action = first_action(space, &setup.system, &heads[offsets[s]], offsets[s + 1] - offsets[s])
            while action != NOTHING:
                found += 1
                action = next_action(space, &setup.system, action, NOTHING)
            if space.state.fault != FINE:
                break
    setup.chosen.check(&space.state)
    return found


def walk(ParserSetup setup, const int[::1] offsets, const int[::1] heads, const int[::1] labels):
    """All configurations on the way of the static oracle: values[slot, e] of every slot in each configuration e, the
    legal actions as bits with the right action, and the right label with the number of its sentence.
    """
    cdef long long e = 0, size = count(setup, offsets, heads)
    values = np.empty((setup.templates.slots, size), np.uint64)
    actions, numbers = np.empty((2, size), np.uint8), np.empty((2, size), np.int32)
    cdef uint64_t[:, ::1] value = values
    cdef uint8_t[:, ::1] legal_right = actions
    cdef int[:, ::1] label_sentence = numbers
    cdef Workspace space = derivation_workspace(setup.longest)
    cdef Words words
    cdef View view
    cdef int s, n, action, child, label, slot
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            action = first_action(space, &setup.system, &heads[offsets[s]], n)
            while action != NOTHING:
                look(&space.state, &setup.templates, &words, &view)
                for slot in range(setup.templates.slots):
                    value[slot, e] = view.value[slot]
                child = child_of(&space.state, &setup.system, action)
                label = NOTHING if child == NOTHING else labels[offsets[s] + child - 1]
                legal_right[0, e], legal_right[1, e] = space.allowed, action
                label_sentence[0, e], label_sentence[1, e] = label, s
                e += 1
                action = next_action(space, &setup.system, action, label)
    return values, actions, numbers


def join(const int[::1] first, const int[::1] second, int size):
    """Number the pairs first[e], second[e] in the order in which they are met; numbers of `second` are below `size`.

    Returns for each e the number of its pair, and for each number the first e that has it. O(n) time and memory.
    """
    cdef Py_ssize_t count = first.shape[0], e
    cdef int found = 0
    cdef Slots slots
    ids, firsts = np.empty(count, np.int32), np.empty(count, np.int32)
    cdef int[::1] id = ids, earliest = firsts
    if not reserve_slots(&slots, count):
        raise MemoryError
    with nogil:
        for e in range(count):
            # There is room for all, so that none is refused.
            id[e] = number_of(&slots, (<uint64_t> first[e] * size + second[e]) * <uint64_t> 0x9E3779B97F4A7C15)
            if id[e] == found:
                earliest[found] = <int> e
                found += 1
        release_slots(&slots)
    return ids, firsts[:found]


def keys(uint64_t seed, const uint64_t[:, ::1] values):
    """The key of each row of values for the feature with that seed, as `templates.keys_of` mixes it."""
    cdef Py_ssize_t i, j
    cdef uint64_t key
    found = np.empty(values.shape[0], np.uint64)
    cdef uint64_t[::1] out = found
    with nogil:
        for i in range(values.shape[0]):
            key = seed
            for j in range(values.shape[1]):
                key = mix(key, values[i, j])
            out[i] = key
    return found


def assemble(
    Examples examples, list columns, const int[::1] base, const int[::1] rows, const uint8_t[::1] allowed,
    const uint8_t[::1] actions, const int[::1] labels, const long long[::1] more_start, const int[::1] more,
):
    """Fill empty examples with some rows of columns. Column c has the ids base[c] + columns[c][row].

    After them come those of features that a configuration may have several of:
    base[-1] + more[more_start[row] : more_start[row + 1]].
    """
    cdef Py_ssize_t count = rows.shape[0], width = len(columns), c, i, j, block, first, end
    cdef long long used = count * width
    cdef Memory memory = Memory()
    cdef const int** pointer = <const int**> memory.take(width, sizeof(int*))
    cdef const int[::1] column
    cdef const int* values
    cdef int* ids
    cdef long long* start
    cdef int shift
    if examples.count:
        raise ValueError("the examples are not empty")
    for i in range(count):
        used += more_start[rows[i] + 1] - more_start[rows[i]]
    if not examples.hold(count, used):
        raise MemoryError
    for c in range(width):
        column = columns[c]
        pointer[c] = &column[0]
    ids, start = examples.ids, examples.start
    with nogil:
        start[0] = 0
        for i in range(count):
            start[i + 1] = start[i] + width + more_start[rows[i] + 1] - more_start[rows[i]]
            examples.legal[i] = allowed[rows[i]]
            examples.action[i] = actions[rows[i]]
            examples.label[i] = labels[rows[i]]
            for j in range(start[i + 1] - start[i] - width):
                ids[start[i] + width + j] = base[width] + more[more_start[rows[i]] + j]
        for block in range((count + AT_ONCE - 1) // AT_ONCE):
            first, end = block * AT_ONCE, min((block + 1) * AT_ONCE, count)
            for c in range(width):
                values, shift = pointer[c], base[c]
                for i in range(first, end):
                    ids[start[i] + c] = shift + values[rows[i]]
    examples.count, examples.used = count, used
