"""Configurations of many sentences, advanced together: features out, scores in. For predictors that like company."""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.memory cimport Memory
from headway.kernels.transition.evidence cimport clear_evidence, margins_of, note
from headway.kernels.transition.features cimport look
from headway.kernels.transition.setup cimport Classes, ParserSetup, Transition, choose
from headway.kernels.transition.systems.single_root cimport choices, perform, write_tree
from headway.kernels.transition.systems.system cimport System
from headway.kernels.transition.state cimport LEFT, RIGHT, State, begin, reserve_state
from headway.kernels.features.templates cimport Templates, View, Words, keys_of, sentence_of
from headway.kernels.trees.tree cimport NOTHING


cdef Transition decide(const Classes* classes, const float* scores, int allowed, int root_label) noexcept nogil:
    """The best transition whose action is among the bits `allowed`, even where training has seen none of those."""
    cdef Transition best
    cdef int c
    for c in range(classes.count):
        if classes.action[c] >= 0 and allowed >> classes.action[c] & 1:
            best = choose(classes, scores, allowed)
            break
    else:
        best.action = 0
        while not allowed >> best.action & 1:
            best.action += 1
        best.label = NOTHING
    if best.label < 0 and (best.action == LEFT or best.action == RIGHT):
        best.label = root_label
    return best


cdef class Lockstep(Memory):
    """Sentences on their way from the initial configuration to a complete tree.

    `gather` gives the features of those that are still on their way, `advance` takes the scores of their classes and
    performs the best legal transition of each.
    """

    cdef ParserSetup setup
    cdef const int[::1] offsets
    cdef int root_label
    cdef int sentences
    cdef int running        # sentences on their way
    cdef int* active        # their numbers
    cdef State* states
    cdef bint surely                # whether evidence is asked for
    cdef float[:, ::1] evidence     # of each word
    cdef float[::1] path            # least margin of each sentence so far

    def __cinit__(self, ParserSetup setup, const int[::1] offsets, int root_label, float[:, ::1] evidence=None):
        cdef int s, n
        self.setup, self.offsets, self.root_label, self.evidence = setup, offsets, root_label, evidence
        self.path = np.full(max(1, offsets.shape[0]), INFINITY, np.float32)
        self.surely = evidence is not None and evidence.shape[0] > 0
        if self.surely:
            clear_evidence(&evidence[0, 0], <int> evidence.shape[0])
        self.sentences = <int> offsets.shape[0] - 1
        self.states = <State*> self.take(self.sentences + 1, sizeof(State))
        self.active = <int*> self.take(self.sentences + 1, sizeof(int))
        for s in range(self.sentences):
            n = offsets[s + 1] - offsets[s]
            reserve_state(&self.states[s], self, n)
            begin(&self.states[s], setup.system.root, n)
            self.active[s] = s
        self.running = self.sentences
        self.drop_complete()

    def __len__(self):
        """How many sentences are still on their way."""
        return self.running

    cdef void drop_complete(self) noexcept nogil:
        cdef int i, kept = 0
        for i in range(self.running):
            if choices(&self.states[self.active[i]], &self.setup.system):
                self.active[kept] = self.active[i]
                kept += 1
        self.running = kept

    def gather(self, int template):
        """For each sentence on its way: where its features begin, the features' keys, and the key of one template."""
        cdef int i, s, n, most = self.setup.most_features
        cdef Words words
        cdef Templates* model = &self.setup.templates
        cdef View view
        cdef long long[::1] start = np.zeros(self.running + 1, np.int64)
        cdef uint64_t[::1] keys = np.empty(self.running * most + 1, np.uint64)
        cdef uint64_t[::1] values = np.empty(self.running, np.uint64)
        with nogil:
            for i in range(self.running):
                s = self.active[i]
                n = self.offsets[s + 1] - self.offsets[s]
                words = sentence_of(&self.setup.words, model.columns, self.offsets[s], n)
                look(&self.states[s], model, &words, &view)
                start[i + 1] = start[i] + keys_of(model, &words, &view, 0, model.templates, &keys[start[i]])
                keys_of(model, &words, &view, template, template + 1, &values[i])
        return start.base, keys.base[: start[self.running]], values.base

    def advance(self, const float[:, ::1] scores, const float[:, ::1] sums=None):
        """Perform the best legal transition of each sentence; `scores[i, class]` are in the order of `gather`.

        How sure it is follows from `sums`, which are looked at where evidence is asked for.
        """
        cdef int i, s, allowed
        cdef State* state
        cdef Transition best
        with nogil:
            for i in range(self.running):
                s = self.active[i]
                state = &self.states[s]
                allowed = choices(state, &self.setup.system)
                best = decide(&self.setup.classes, &scores[i, 0], allowed, self.root_label)
                if self.surely:
                    note(
                        &self.evidence[self.offsets[s], 0], &self.path[s], state, &self.setup.system, best.action,
                        margins_of(&self.setup.classes, &sums[i, 0], allowed, best.action, best.label),
                    )
                perform(state, &self.setup.system, best.action, best.label)
            self.drop_complete()

    def trees(self, int[::1] heads, int[::1] labels):
        """Write the heads and labels found; words without a head hang on the root."""
        cdef int s
        cdef const int[::1] first = self.offsets
        cdef System* system = &self.setup.system
        with nogil:
            for s in range(self.sentences):
                write_tree(&self.states[s], system, self.root_label, &heads[first[s]], &labels[first[s]])
        for s in range(self.sentences):
            self.setup.chosen.check(&self.states[s])
