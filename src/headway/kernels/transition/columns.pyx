"""Features as columns: what each configuration on the way of the static oracle has, computed once for many models."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from headway.kernels.transition.examples cimport Examples
from headway.kernels.transition.features cimport look
from headway.kernels.transition.gold cimport Gold, release_gold
from headway.kernels.transition.systems.oracle cimport guided, prepare
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.state cimport FINE, State, begin, release
from headway.kernels.transition.systems.dispatch cimport apply, child_of
from headway.kernels.transition.workspace cimport reserve_way
from headway.kernels.features.templates cimport View, Words, mix, sentence_of
from headway.kernels.trees.tree cimport NOTHING

cdef enum:
    AT_ONCE = 64        # configurations of which one column after the other is copied


def count(ParserSetup setup, const int[::1] offsets, const int[::1] heads):
    """How many configurations there are on the way of the static oracle: about 2 n for n words, more with SWAP."""
    cdef State state
    cdef Gold gold
    cdef int s, n, action, allowed
    cdef long long found = 0
    if not reserve_way(&state, &gold, setup.longest):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            prepare(&gold, &state, &setup.system, &heads[offsets[s]], n)
            begin(&state, setup.system.root, n)
            action = guided(&state, &setup.system, &gold, &allowed)
            while action != NOTHING:
                apply(&state, &setup.system, action, NOTHING)
                found += 1
                action = guided(&state, &setup.system, &gold, &allowed)
            if state.fault != FINE:
                break
    release(&state)
    release_gold(&gold)
    setup.chosen.check(&state)
    return found


def walk(
    ParserSetup setup, const int[::1] offsets, const int[::1] heads, const int[::1] labels, uint64_t[:, ::1] values,
    uint8_t[::1] allowed, uint8_t[::1] actions, int[::1] arc_labels, int[::1] sentences,
):
    """Write the value of every slot in each configuration e to values[slot, e]; the legal actions as bits, the right
    action and label, and the number of its sentence. All arrays have room for as many as `count` says.
    """
    cdef State state
    cdef Gold gold
    cdef Words words
    cdef View view
    cdef int s, n, action, bits, child, label, slot
    cdef long long e = 0, room = min(
        values.shape[1], allowed.shape[0], actions.shape[0], arc_labels.shape[0], sentences.shape[0]
    )
    if count(setup, offsets, heads) > room:
        raise ValueError(f"there is room for {room} configurations, and there are more")
    if not reserve_way(&state, &gold, setup.longest):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            prepare(&gold, &state, &setup.system, &heads[offsets[s]], n)
            begin(&state, setup.system.root, n)
            action = guided(&state, &setup.system, &gold, &bits)
            while action != NOTHING:
                look(&state, &setup.templates, &words, &view)
                for slot in range(setup.templates.slots):
                    values[slot, e] = view.value[slot]
                child = child_of(&state, &setup.system, action)
                label = NOTHING if child == NOTHING else labels[offsets[s] + child - 1]
                allowed[e], actions[e], arc_labels[e], sentences[e] = bits, action, label, s
                apply(&state, &setup.system, action, label)
                e += 1
                action = guided(&state, &setup.system, &gold, &bits)
    release(&state)
    release_gold(&gold)


def join(const int[::1] first, const int[::1] second, int size):
    """Number the pairs first[e], second[e] in the order in which they are met; numbers of `second` are below `size`.

    Returns for each e the number of its pair, and for each number the first e that has it. O(n) time and memory.
    """
    cdef Py_ssize_t count = first.shape[0], e
    cdef uint64_t room = 16, pair, at
    cdef int found = 0
    cdef uint64_t* key
    cdef int* number
    ids, firsts = np.empty(count, np.int32), np.empty(count, np.int32)
    cdef int[::1] id = ids, earliest = firsts
    while room < 2 * <uint64_t> count:
        room *= 2
    key = <uint64_t*> malloc(room * sizeof(uint64_t))
    number = <int*> calloc(room, sizeof(int))
    if key == NULL or number == NULL:
        free(key)
        free(number)
        raise MemoryError
    with nogil:
        for e in range(count):
            pair = <uint64_t> first[e] * size + second[e]
            at = pair * <uint64_t> 0x9E3779B97F4A7C15
            at = (at ^ at >> 32) & (room - 1)
            while number[at] and key[at] != pair:
                at = (at + 1) & (room - 1)
            if not number[at]:
                earliest[found] = <int> e
                found += 1
                number[at], key[at] = found, pair
            id[e] = number[at] - 1
    free(key)
    free(number)
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
    cdef const int** pointer = <const int**> malloc((width + 1) * sizeof(int*))
    cdef const int[::1] column
    cdef const int* values
    cdef int* ids
    cdef long long* start
    cdef int shift
    if examples.count:
        raise ValueError("the examples are not empty")
    for i in range(count):
        used += more_start[rows[i] + 1] - more_start[rows[i]]
    if pointer == NULL or not examples.hold(count, used):
        free(pointer)
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
    free(pointer)
