"""Learning transitions in passes over examples that were extracted once, with the static oracle."""

from libc.string cimport memset

import numpy as np

from headway.kernels.transition.classes cimport Classes, Transition, best_label, best_of, class_of
from headway.kernels.transition.examples cimport Examples
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.random_access cimport prefetch
from headway.kernels.weights.rows cimport add_up
from headway.kernels.weights.rules cimport Rule, StepRule
from headway.kernels.weights.table cimport WeightRow, WeightTable, Weights
from headway.kernels.weights.table_steps cimport ExampleTally, learn_pair

cdef enum:
    LONG = 8        # numbers of a row that do not lie in one line of the cache with its classes


cdef void learn_transition(
    WeightTable* table, const Rule* rule, const Classes* classes, const int* ids, int count, Transition right,
    int allowed, float* scores, double time, ExampleTally* tally,
) noexcept nogil:
    """Learn that a transition is right: against the best other one, or in two steps its action, then its label
    given that action."""
    cdef int y, r
    cdef bint mistaken
    if classes.two_step:
        y = right.action
    else:
        y = class_of(classes, right.action, right.label)
    r = best_of(classes, scores, allowed, y)
    mistaken = r >= 0 and scores[r] >= scores[y]
    if r >= 0:
        tally.updates += learn_pair(table, rule, ids, count, y, r, scores, time)
    if classes.two_step and right.label != NOTHING:
        y = class_of(classes, right.action, right.label)
        r = best_label(classes, scores, right.action, y)
        if r >= 0:
            mistaken = mistaken or scores[r] >= scores[y]
            tally.updates += learn_pair(table, rule, ids, count, y, r, scores, time)
    tally.examples += 1
    tally.mistakes += mistaken


def learn(
    ParserSetup setup, Weights weights, Examples examples, const int[::1] order, StepRule rule not None, double time
):
    """One pass over examples in the given order. Returns examples, mistakes, updates."""
    cdef WeightTable* table = &weights.table
    cdef Classes* classes = &setup.classes
    cdef ExampleTally tally
    cdef Transition right
    cdef int i, count
    cdef long long e
    cdef const int* ids
    cdef float[::1] buffer = np.empty(classes.count, np.float32)
    cdef float* scores = &buffer[0]
    tally.examples = tally.mistakes = tally.updates = 0
    with nogil:
        for i in range(<int> order.shape[0]):
            e = order[i]
            ids = examples.ids + examples.start[e]
            count = width_of(examples, e)
            if i + 2 < order.shape[0]:
                prefetch_rows(table, examples.ids + examples.start[order[i + 2]], width_of(examples, order[i + 2]))
            if i + 1 < order.shape[0]:
                prefetch_data(table, examples.ids + examples.start[order[i + 1]], width_of(examples, order[i + 1]))
            memset(scores, 0, classes.count * sizeof(float))
            add_up(table, ids, count, scores)
            right.action, right.label = examples.action[e], examples.label[e]
            time += 1
            learn_transition(table, &rule.rule, classes, ids, count, right, examples.legal[e], scores, time, &tally)
    rule.check()
    return tally.examples, tally.mistakes, tally.updates


cdef inline void prefetch_rows(const WeightTable* table, const int* ids, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        prefetch(&table.rows[ids[i]])


cdef inline void prefetch_data(const WeightTable* table, const int* ids, int count) noexcept nogil:
    """Fetch the numbers of rows that have been fetched themselves, and of long ones the classes before them."""
    cdef int i
    cdef const WeightRow* row
    for i in range(count):
        row = table.rows + ids[i]
        if row.data != NULL:
            prefetch(row.data)
            if row.room >= LONG:
                prefetch(row.data + LONG)
                prefetch(row.data - LONG)


cdef inline int width_of(Examples examples, long long e) noexcept nogil:
    """How many features an example has."""
    return <int> (examples.start[e + 1] - examples.start[e])
