"""Learning transitions: in passes over examples that were extracted once, with the static oracle, or by exploration.

Exploring, the parser meets configurations of its own making, and the dynamic oracle says which transitions lose nothing
there. Goldberg and Nivre (2012).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features.templates cimport Templates, View, Words, keys_of, sentence_of
from headway.kernels.transition.examples cimport Examples
from headway.kernels.transition.features cimport look
from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.setup cimport (
    Classes, ParserSetup, ScoreCache, Transition, Workspace, best_label, best_of, cell_of, choose, class_of,
    parser_workspace,
)
from headway.kernels.transition.state cimport ACTIONS, FINE, NOTHING_LEGAL, State, begin
from headway.kernels.transition.systems.dispatch cimport apply, child_of, costs, head_of, is_final, legal, prepare
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.hardware cimport add_row, prefetch
from headway.kernels.weights.random cimport random
from headway.kernels.weights.rules cimport Rule, StepRule
from headway.kernels.weights.table cimport (
    ExampleTally, WeightRow, WeightTable, Weights, add_up, learn_pair, number, score,
)

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
    cdef ExampleTally tally = ExampleTally(0, 0, 0)
    cdef Transition right
    cdef int i, count
    cdef long long e
    cdef const int* ids
    cdef float[::1] buffer = np.empty(classes.count, np.float32)
    cdef float* scores = &buffer[0]
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


cdef Transition learn_best(
    WeightTable* table, const Rule* rule, const Classes* classes, const int* ids, int count, const State* state,
    const System* system, const Gold* gold, const int* gold_label, int allowed, const float* scores, double time,
    ExampleTally* tally,
) noexcept nogil:
    """Learn that the best transition that loses nothing beats the best that loses something; return that one.

    A transition loses nothing if its action costs nothing and its label is right where its arc is. `gold_label` is of
    word w at [w].
    """
    cdef int[ACTIONS] cost
    cdef int c, action, child, right = -1, wrong = -1
    cdef Transition best
    costs(state, system, gold, cost)
    for c in range(classes.count):
        action = classes.action[c]
        if action < 0 or not allowed >> action & 1:
            continue
        child = child_of(state, system, action)
        if cost[action] == 0 and (
            child == NOTHING or classes.two_step or classes.label[c] == gold_label[child]
            or gold.head[child] != head_of(state, system, action)
        ):
            if right < 0 or scores[c] > scores[right]:
                right = c
        elif wrong < 0 or scores[c] > scores[wrong]:
            wrong = c
    tally.examples += 1
    if right < 0 or wrong < 0:
        right = wrong if right < 0 else right
    else:
        tally.mistakes += scores[wrong] >= scores[right]
        tally.updates += learn_pair(table, rule, ids, count, right, wrong, scores, time)
    best.action, best.label = classes.action[right], classes.label[right]
    child = child_of(state, system, best.action)
    if classes.two_step and child != NOTHING:
        right = class_of(classes, best.action, gold_label[child])
        if gold.head[child] == head_of(state, system, best.action) and right >= 0:
            wrong = best_label(classes, scores, best.action, right)
            if wrong >= 0:
                tally.updates += learn_pair(table, rule, ids, count, right, wrong, scores, time)
        else:
            right = best_label(classes, scores, best.action, -1)
        best.label = classes.label[right] if right >= 0 else NOTHING
    return best


cdef int score_all(
    WeightTable* table, const Templates* templates, const Words* words, Workspace space, long long sentence
) noexcept nogil:
    """The scores of all classes in a configuration; the numbers of its features go to `ids`, their count comes back.

    What only one word decides is looked up once in a sentence, that is after the stamp `sentence`, and added up again
    when the weights have changed.
    """
    cdef View view
    cdef ScoreCache* cache = &space.cache
    cdef uint64_t* keys = space.keys
    cdef int* ids = space.ids
    cdef float* scores = space.scores
    cdef float* sums
    cdef int part, count, found
    cdef size_t cell
    look(&space.state, templates, words, &view)
    memset(scores, 0, table.classes * sizeof(float))
    count = keys_of(templates, words, &view, 0, templates.part[1], keys)
    count = number(table, keys, count, ids)
    score(table, ids, count, scores)
    for part in range(1, templates.parts):
        cell = cell_of(cache, part, view.node[templates.base[part]])
        sums = cache.scores + cell * table.classes
        if cache.numbered[cell] < sentence:
            cache.numbered[cell] = cache.stamp
            found = keys_of(templates, words, &view, templates.part[part], templates.part[part + 1], keys)
            cache.count[cell] = number(table, keys, found, cache.ids + cell * cache.most)
        if cache.filled[cell] != cache.stamp:
            cache.filled[cell] = cache.stamp
            memset(sums, 0, table.classes * sizeof(float))
            score(table, cache.ids + cell * cache.most, cache.count[cell], sums)
        add_row(scores, sums, table.classes)
        memcpy(ids + count, cache.ids + cell * cache.most, cache.count[cell] * sizeof(int))
        count += cache.count[cell]
    return count


def explore(
    ParserSetup setup, Weights weights, const int[::1] order, const int[::1] offsets, const int[::1] heads,
    const int[::1] labels, StepRule rule not None, double time, double probability, uint64_t seed,
):
    """One pass over sentences with the dynamic oracle, following its own predictions with the given probability."""
    cdef WeightTable* table = &weights.table
    cdef Classes* classes = &setup.classes
    cdef ExampleTally tally = ExampleTally(0, 0, 0)
    cdef Workspace space = parser_workspace(setup, setup.most_features)
    cdef Words words
    cdef Transition right, predicted
    cdef int i, s, n, count, allowed, front
    cdef long long updates, sentence
    with nogil:
        for i in range(<int> order.shape[0]):
            s = order[i]
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            prepare(&space.gold, &space.state, &setup.system, &heads[offsets[s]], n)
            begin(&space.state, setup.system.root, n)
            space.cache.stamp += 1
            sentence = space.cache.stamp
            while not is_final(&space.state, &setup.system):
                allowed = legal(&space.state, &setup.system)
                if not allowed:
                    space.state.fault = NOTHING_LEGAL
                    break
                count = score_all(table, &setup.templates, &words, space, sentence)
                predicted = choose(classes, space.scores, allowed)
                time += 1
                updates = tally.updates
                right = learn_best(
                    table, &rule.rule, classes, space.ids, count, &space.state, &setup.system, &space.gold,
                    &labels[offsets[s]] - 1, allowed, space.scores, time, &tally,
                )
                space.cache.stamp += tally.updates != updates
                if random(&seed) < probability:
                    right = predicted
                front = space.state.front
                apply(&space.state, &setup.system, right.action, right.label)
                if space.state.front < front:
                    space.cache.stamp += 1
                    sentence = space.cache.stamp
            if rule.failed or space.state.fault != FINE:
                break
    rule.check()
    setup.chosen.check(&space.state)
    return tally.examples, tally.mistakes, tally.updates
