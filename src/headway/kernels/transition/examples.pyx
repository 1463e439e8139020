"""See examples.pxd; and what was seen on the way of the static oracle as columns, computed once for many models."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc

import numpy as np

from headway.kernels.features.lookup cimport Slots, number_of, release_slots, reserve_slots
from headway.kernels.features.templates cimport View, Words, mix, sentence_of
from headway.kernels.memory cimport Memory
from headway.kernels.transition.features cimport extract, look
from headway.kernels.transition.setup cimport (
    ParserSetup, Workspace, derivation_workspace, first_action, next_action, parser_workspace,
)
from headway.kernels.transition.state cimport FINE
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.transition.systems.system cimport SystemKernel
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.table cimport Weights, number

cdef enum:
    AT_ONCE = 64        # configurations of which one column after the other is copied


cdef bint lengthen(void** block, size_t size) noexcept nogil:
    """Give a block another size; False where memory is short, and the block is as it was."""
    cdef void* longer = realloc(block[0], size)
    if longer == NULL:
        return False
    block[0] = longer
    return True


cdef class Examples:
    """Configurations on the way of the static oracle: their features, legal actions, right action and label."""

    def __dealloc__(self):
        free(self.ids)
        free(self.start)
        free(self.legal)
        free(self.action)
        free(self.label)

    def __len__(self):
        return self.count

    @property
    def features(self):
        """Number of features of all examples together."""
        return self.used

    def matrix(self):
        """The examples for batch learners: the numbers of their features, where each example begins, legal actions as
        bits, actions, labels. Views that live as long as the examples, and that nothing may be added under.
        """
        if not self.count:
            raise ValueError("there are no examples")
        return (
            np.asarray(<int[:self.used]> self.ids), np.asarray(<long long[:self.count + 1]> self.start),
            np.asarray(<uint8_t[:self.count]> self.legal), np.asarray(<uint8_t[:self.count]> self.action),
            np.asarray(<int[:self.count]> self.label),
        )

    def renumber(self, const int[::1] new):
        """Feature f becomes new[f]; features with a negative new number are dropped."""
        cdef long long e, i, first, used = 0
        with nogil:
            for e in range(self.count):
                first = used
                for i in range(self.start[e], self.start[e + 1]):
                    if new[self.ids[i]] >= 0:
                        self.ids[used] = new[self.ids[i]]
                        used += 1
                self.start[e] = first
            self.start[self.count] = used
            self.used = used

    cdef int hold(self, long long count, long long features) noexcept nogil:
        """Room for so many examples and features in all; False where memory is short."""
        if features > self.room:
            if not lengthen(<void**> &self.ids, features * sizeof(int)):
                return False
            self.room = features
        if count + 1 > self.count_room:
            if not (
                lengthen(<void**> &self.start, (count + 1) * sizeof(long long))
                and lengthen(<void**> &self.legal, count + 1) and lengthen(<void**> &self.action, count + 1)
                and lengthen(<void**> &self.label, (count + 1) * sizeof(int))
            ):
                return False
            self.count_room = count + 1
        return True

    cdef int make_room(self, int features) noexcept nogil:
        """Room for one more example; False where memory is short."""
        cdef long long wanted = self.used + features, more = self.count + 1
        return self.hold(
            more if more < self.count_room else 2 * more + 1024,
            wanted if wanted <= self.room else 2 * wanted + 1024,
        )


def count_transitions(
    SystemKernel chosen not None, const int[::1] offsets, const int[::1] heads, const int[::1] labels, int longest,
    long long[:, ::1] counts,
):
    """Add to `counts[action, label + 1]` the transitions of the static oracle; label 0 of an action without one."""
    cdef Workspace space = derivation_workspace(longest)
    cdef int s, action, child
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            action = first_action(space, &chosen.system, &heads[offsets[s]], offsets[s + 1] - offsets[s])
            while action != NOTHING:
                child = child_of(&space.state, &chosen.system, action)
                counts[action, 0 if child == NOTHING else labels[offsets[s] + child - 1] + 1] += 1
                action = next_action(space, &chosen.system, action, 0)
            if space.state.fault != FINE:
                break
    chosen.check(&space.state)


def collect(
    ParserSetup setup, Weights weights, Examples examples, const int[::1] offsets, const int[::1] heads,
    const int[::1] labels,
):
    """Add the examples of sentences `offsets[s] : offsets[s + 1]` and number their features in `weights`."""
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef int s, n, action, child, count
    cdef bint short_of_memory = False
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            action = first_action(space, &setup.system, &heads[offsets[s]], n)
            while action != NOTHING:
                count = extract(&space.state, &setup.templates, &words, space.keys)
                short_of_memory = not examples.make_room(count)
                if short_of_memory:
                    break
                count = number(&weights.table, space.keys, count, examples.ids + examples.used)
                examples.start[examples.count] = examples.used
                examples.used += count
                examples.start[examples.count + 1] = examples.used
                child = child_of(&space.state, &setup.system, action)
                examples.legal[examples.count] = space.allowed
                examples.action[examples.count] = action
                examples.label[examples.count] = NOTHING if child == NOTHING else labels[offsets[s] + child - 1]
                action = next_action(space, &setup.system, action, examples.label[examples.count])
                examples.count += 1
            if short_of_memory or space.state.fault != FINE:
                break
    if short_of_memory:
        raise MemoryError
    setup.chosen.check(&space.state)


def walk(ParserSetup setup, const int[::1] offsets, const int[::1] heads, const int[::1] labels):
    """All configurations on the way of the static oracle: values[slot, e] of every slot in each configuration e, the
    legal actions as bits with the right action, and the right label with the number of its sentence.
    """
    cdef long long e = 0
    cdef uint64_t[:, ::1] values
    cdef uint8_t[:, ::1] actions
    cdef int[:, ::1] numbers
    cdef Workspace space = derivation_workspace(setup.longest)
    cdef Words words
    cdef View view
    cdef int s, n, action, child, label, slot
    cdef bint writing
    for writing in range(2):        # they are counted first: about 2 n for n words, more with SWAP
        values = np.empty((setup.templates.slots, e), np.uint64)
        actions, numbers = np.empty((2, e), np.uint8), np.empty((2, e), np.int32)
        e = 0
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                n = offsets[s + 1] - offsets[s]
                words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
                action = first_action(space, &setup.system, &heads[offsets[s]], n)
                while action != NOTHING:
                    child = child_of(&space.state, &setup.system, action)
                    label = NOTHING if child == NOTHING else labels[offsets[s] + child - 1]
                    if writing:
                        look(&space.state, &setup.templates, &words, &view)
                        for slot in range(setup.templates.slots):
                            values[slot, e] = view.value[slot]
                        actions[0, e], actions[1, e] = space.allowed, action
                        numbers[0, e], numbers[1, e] = label, s
                    e += 1
                    action = next_action(space, &setup.system, action, label)
                if space.state.fault != FINE:
                    break
        setup.chosen.check(&space.state)
    return values.base, actions.base, numbers.base


def join(const int[::1] first, const int[::1] second, int size):
    """Number the pairs first[e], second[e] in the order in which they are met; numbers of `second` are below `size`.

    Returns for each e the number of its pair, and for each number the first e that has it. O(n) time and memory.
    """
    cdef Py_ssize_t count = first.shape[0], e
    cdef int found = 0
    cdef Slots slots
    cdef int[::1] ids = np.empty(count, np.int32), firsts = np.empty(count, np.int32)
    if not reserve_slots(&slots, count):
        raise MemoryError
    with nogil:
        for e in range(count):
            # There is room for all, so that none is refused.
            ids[e] = number_of(&slots, (<uint64_t> first[e] * size + second[e]) * <uint64_t> 0x9E3779B97F4A7C15)
            if ids[e] == found:
                firsts[found] = <int> e
                found += 1
        release_slots(&slots)
    return ids.base, firsts.base[:found]


def keys(uint64_t seed, const uint64_t[:, ::1] values):
    """The key of each row of values for the feature with that seed, as `templates.keys_of` mixes it."""
    cdef Py_ssize_t i, j
    cdef uint64_t key
    cdef uint64_t[::1] found = np.empty(values.shape[0], np.uint64)
    with nogil:
        for i in range(values.shape[0]):
            key = seed
            for j in range(values.shape[1]):
                key = mix(key, values[i, j])
            found[i] = key
    return found.base


def assemble(
    Examples examples, list columns, const int[::1] base, const int[::1] rows, const uint8_t[::1] allowed,
    const uint8_t[::1] actions, const int[::1] labels,
):
    """Fill empty examples with some rows of columns. Column c has the ids base[c] + columns[c][row]."""
    cdef Py_ssize_t count = rows.shape[0], width = len(columns), c, i, block, first, end
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
    if not examples.hold(count, used):
        raise MemoryError
    for c in range(width):
        column = columns[c]
        pointer[c] = &column[0]
    ids, start = examples.ids, examples.start
    with nogil:
        start[0] = 0
        for i in range(count):
            start[i + 1] = start[i] + width
            examples.legal[i] = allowed[rows[i]]
            examples.action[i] = actions[rows[i]]
            examples.label[i] = labels[rows[i]]
        for block in range((count + AT_ONCE - 1) // AT_ONCE):
            first, end = block * AT_ONCE, min((block + 1) * AT_ONCE, count)
            for c in range(width):
                values, shift = pointer[c], base[c]
                for i in range(first, end):
                    ids[start[i] + c] = shift + values[rows[i]]
    examples.count, examples.used = count, used
