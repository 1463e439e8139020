"""See examples.pxd."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, realloc

import numpy as np

from headway.kernels.transition.features cimport extract
from headway.kernels.transition.setup cimport (
    ParserSetup, Workspace, derivation_workspace, first_action, next_action, parser_workspace,
)
from headway.kernels.transition.state cimport FINE
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.transition.systems.system cimport SystemKernel
from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.table cimport Weights, number


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
