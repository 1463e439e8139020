"""Learning transitions: examples extracted once and learned in several passes, or met on the way in exploration."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.features cimport Templates, View, Words, extract, keys_of, look
from headway.kernels.kept cimport Kept, cell_of, release_kept, reserve_kept
from headway.kernels.oracle cimport Gold, costs, prepare, release_gold, reserve_gold, static_action
from headway.kernels.rules cimport Rule, is_settled, step_of
from headway.kernels.state cimport (
    ACTIONS, LEFT, NOTHING, RIGHT, State, System, apply, begin, is_final, legal, release, reserve,
)
from headway.kernels.training cimport Classes, Setup, Transition
from headway.kernels.vectors cimport add_row
from headway.kernels.weights cimport Row, Table, Weights, add, intern, place_of, score

cdef extern from *:
    """
    #define PREFETCH_ROW(address) __builtin_prefetch(address)
    """
    void PREFETCH_ROW(const void*) noexcept nogil


cdef struct Tally:
    long long examples
    long long mistakes
    long long updates


cdef class Setup:
    """What all examples have in common: system, templates, classes, and the words of the treebank."""

    def __init__(
        self, int kind, int root, bint single, const int[:, ::1] address, const int[:, ::1] slot, const int[::1] start,
        const int[::1] member, const uint64_t[::1] seed, const int[::1] part, const int[::1] base, int columns,
        const uint64_t[:, ::1] keys, const int[::1] feature_start, const uint64_t[::1] features,
        const uint64_t[::1] label_keys, const int[::1] class_action, const int[::1] class_label,
        const int[::1] class_number, bint two_step, int longest, int most_features,
    ):
        self.system.kind, self.system.root, self.system.single = kind, root, single
        self.templates.addresses = <int> address.shape[0]
        self.templates.slots = <int> slot.shape[0]
        self.templates.templates = <int> seed.shape[0]
        self.templates.columns = columns
        self.templates.address = &address[0, 0]
        self.templates.slot = &slot[0, 0]
        self.templates.start = &start[0]
        self.templates.member = &member[0]
        self.templates.seed = &seed[0]
        self.templates.parts = <int> base.shape[0]
        self.templates.part = &part[0]
        self.templates.base = &base[0]
        self.words.keys = &keys[0, 0]
        self.words.feature_start = &feature_start[0]
        self.words.features = &features[0] if features.shape[0] else NULL
        self.words.labels = &label_keys[0]
        self.classes.count = <int> class_action.shape[0]
        self.classes.two_step = two_step
        self.classes.action = &class_action[0]
        self.classes.label = &class_label[0]
        self.classes.number = &class_number[0]
        self.classes.labels = <int> label_keys.shape[0]
        chosen = np.asarray(class_action)
        for action in range(ACTIONS + 1):
            self.classes.first[action] = <int> np.count_nonzero((chosen >= 0) & (chosen < action))
        self.longest = longest
        self.most_features = most_features
        self.keep = (
            address, slot, start, member, seed, part, base, keys, feature_start, features, label_keys,
            class_action, class_label, class_number,
        )


cdef Words words_at(Setup setup, int first) noexcept nogil:
    """The words of the sentence that begins with word number `first` of the treebank."""
    cdef Words words = setup.words
    words.keys += <long long> first * setup.templates.columns
    words.feature_start += first
    return words


cdef class Examples:
    """Configurations on the way of the static oracle: their features, legal actions, right action and label."""

    cdef int* ids
    cdef long long used
    cdef long long room
    cdef long long* start
    cdef uint8_t* legal
    cdef uint8_t* action
    cdef int* label
    cdef long long count
    cdef long long count_room

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

    cdef int make_room(self, int features) noexcept nogil:
        if self.used + features > self.room:
            self.room = 2 * self.room + features + 1024
            self.ids = <int*> realloc(self.ids, self.room * sizeof(int))
            if self.ids == NULL:
                return False
        if self.count + 2 > self.count_room:
            self.count_room = 2 * self.count_room + 1024
            self.start = <long long*> realloc(self.start, self.count_room * sizeof(long long))
            self.legal = <uint8_t*> realloc(self.legal, self.count_room)
            self.action = <uint8_t*> realloc(self.action, self.count_room)
            self.label = <int*> realloc(self.label, self.count_room * sizeof(int))
            if self.start == NULL or self.legal == NULL or self.action == NULL or self.label == NULL:
                return False
        return True


def count_transitions(
    int kind, int root, bint single, const int[::1] offsets, const int[::1] heads, const int[::1] labels, int longest,
    long long[:, ::1] counts,
):
    """Add to `counts[action, label + 1]` the transitions of the static oracle; label 0 of an action without one."""
    cdef System system
    cdef State state
    cdef Gold gold
    cdef int s, n, action, child
    system.kind, system.root, system.single = kind, root, single
    if not reserve(&state, longest) or not reserve_gold(&gold, longest):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            prepare(&gold, &state, &system, &heads[offsets[s]], n)
            begin(&state, &system, n)
            while not is_final(&state, &system):
                action = static_action(&state, &system, &gold)
                if not legal(&state, &system) >> action & 1:
                    break
                child = child_of(&state, &system, action)
                counts[action, 0 if child == NOTHING else labels[offsets[s] + child - 1] + 1] += 1
                apply(&state, &system, action, 0)
    release(&state)
    release_gold(&gold)


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    """The word that an action would give a head, or NOTHING."""
    if action == LEFT:
        return state.stack[state.size - (1 if system.kind == 0 else 2)]
    if action == RIGHT:
        return state.queue[state.front] if system.kind == 0 else state.stack[state.size - 1]
    return NOTHING


def collect(
    Setup setup, Weights weights, Examples examples, const int[::1] offsets, const int[::1] heads, const int[::1] labels
):
    """Add the examples of sentences `offsets[s] : offsets[s + 1]` and number their features in `weights`."""
    cdef State state
    cdef Gold gold
    cdef Words words
    cdef int s, n, action, child, count
    cdef bint short_of_memory = False
    cdef uint64_t* keys = <uint64_t*> malloc(setup.most_features * sizeof(uint64_t))
    if not reserve(&state, setup.longest) or not reserve_gold(&gold, setup.longest) or keys == NULL:
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = words_at(setup, offsets[s])
            prepare(&gold, &state, &setup.system, &heads[offsets[s]], n)
            begin(&state, &setup.system, n)
            while not is_final(&state, &setup.system):
                action = static_action(&state, &setup.system, &gold)
                if not legal(&state, &setup.system) >> action & 1:
                    break
                count = extract(&state, &setup.templates, &words, keys)
                short_of_memory = not examples.make_room(count)
                if short_of_memory:
                    break
                count = number(&weights.table, keys, count, examples.ids + examples.used)
                examples.start[examples.count] = examples.used
                examples.used += count
                examples.start[examples.count + 1] = examples.used
                child = child_of(&state, &setup.system, action)
                examples.legal[examples.count] = legal(&state, &setup.system)
                examples.action[examples.count] = action
                examples.label[examples.count] = NOTHING if child == NOTHING else labels[offsets[s] + child - 1]
                apply(&state, &setup.system, action, examples.label[examples.count])
                examples.count += 1
            if short_of_memory:
                break
    release(&state)
    release_gold(&gold)
    free(keys)
    if short_of_memory:
        raise MemoryError


cdef int number(Table* table, const uint64_t* keys, int count, int* ids) noexcept nogil:
    """Write the numbers of features to `ids`, without those that a closed table does not know; how many there are."""
    cdef int i, id, found = 0
    cdef uint64_t at
    for i in range(count):
        at = keys[i] & (table.size - 1)
        PREFETCH_ROW(&table.slot[at])
    for i in range(count):
        id = intern(table, keys[i])
        if id >= 0:
            ids[found] = id
            PREFETCH_ROW(&table.rows[id])
            found += 1
    return found


cdef inline int class_of(const Classes* classes, int action, int label) noexcept nogil:
    return classes.number[action * (classes.labels + 1) + label + 1]


cdef int best_of(const Classes* classes, const float* scores, int actions, int without) noexcept nogil:
    """The best class whose action is among the bits `actions`, other than `without`; -1 where there is none."""
    cdef int c, action, best = -1
    for action in range(ACTIONS):
        if actions >> action & 1:
            for c in range(classes.first[action], classes.first[action + 1]):
                if (best < 0 or scores[c] > scores[best]) and c != without:
                    best = c
    return best


cdef bint learn_pair(
    Table* table, const Rule* rule, const int* ids, int count, int right, int wrong, const float* scores, double time,
) noexcept nogil:
    """Move the weights so that class `right` beats class `wrong`; whether anything was learned."""
    cdef double m = scores[right] - scores[wrong], v = 2.0 * count, move, shrink
    cdef int i
    cdef Row* row
    if is_settled(rule, m, v * table.initial):
        return False
    if table.variance_plane:
        v = 0
        for i in range(count):
            row = table.rows + ids[i]
            v += variance_at(table, row, right) + variance_at(table, row, wrong)
    move = step_of(rule, m, v, &shrink)
    if move == 0:
        return False
    for i in range(count):
        row = table.rows + ids[i]
        move_weight(table, row, right, move, shrink, time)
        move_weight(table, row, wrong, -move, shrink, time)
    return True


cdef inline double variance_at(const Table* table, const Row* row, int which) noexcept nogil:
    cdef int at = place_of(table, row, which) if row.room else -1
    return row.data[table.variance_plane * row.room + at] if at >= 0 else table.initial


cdef inline void move_weight(
    Table* table, Row* row, int which, double move, double shrink, double time
) noexcept nogil:
    cdef int at = place_of(table, row, which) if row.room else -1
    cdef float* variance
    if at < 0:
        at = add(table, row, which)
        if at < 0:
            return
    if table.variance_plane:
        variance = row.data + table.variance_plane * row.room + at
        move *= variance[0]
        variance[0] = variance[0] / (1 + variance[0] * shrink)
    row.data[at] += move
    if table.sum_plane:
        row.data[table.sum_plane * row.room + at] += move * time


cdef int best_label(const Classes* classes, const float* scores, int action, int without) noexcept nogil:
    """Two steps: the best label class for an arc action, other than `without`; -1 where there is none."""
    cdef int label, best = -1
    for label in range(classes.labels):
        if class_of(classes, action, label) >= 0 and ACTIONS + label != without:
            if best < 0 or scores[ACTIONS + label] > scores[best]:
                best = ACTIONS + label
    return best


cdef Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil:
    """The best transition whose action is among the bits `actions`."""
    cdef Transition chosen
    cdef int best = best_of(classes, scores, actions, -1)
    chosen.action, chosen.label = classes.action[best], classes.label[best]
    if classes.two_step and (chosen.action == LEFT or chosen.action == RIGHT):
        chosen.label = best_label(classes, scores, chosen.action, -1) - ACTIONS
    return chosen


cdef void learn_transition(
    Table* table, const Rule* rule, const Classes* classes, const int* ids, int count, Transition right, int allowed,
    float* scores, double time, Tally* tally,
) noexcept nogil:
    """Learn that a transition is right: against the best other one, or in two steps its action, then its label."""
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
        y = ACTIONS + right.label
        r = best_label(classes, scores, right.action, y)
        if r >= 0:
            mistaken = mistaken or scores[r] >= scores[y]
            tally.updates += learn_pair(table, rule, ids, count, y, r, scores, time)
    tally.examples += 1
    tally.mistakes += mistaken


def learn(
    Setup setup, Weights weights, Examples examples, const int[::1] order, int kind, double strength, double time
):
    """One pass over examples in the given order. Returns examples, mistakes, updates."""
    cdef Rule rule
    cdef Table* table = &weights.table
    cdef Classes* classes = &setup.classes
    cdef Tally tally
    cdef Transition right
    cdef int i, count
    cdef long long e
    cdef const int* ids
    cdef float* scores = <float*> malloc(classes.count * sizeof(float))
    rule.kind, rule.strength = kind, strength
    tally.examples = tally.mistakes = tally.updates = 0
    if scores == NULL:
        raise MemoryError
    with nogil:
        for i in range(<int> order.shape[0]):
            e = order[i]
            ids = examples.ids + examples.start[e]
            count = <int> (examples.start[e + 1] - examples.start[e])
            if i + 1 < order.shape[0]:
                prefetch(table, examples.ids + examples.start[order[i + 1]],
                         <int> (examples.start[order[i + 1] + 1] - examples.start[order[i + 1]]))
            memset(scores, 0, classes.count * sizeof(float))
            score(table, ids, count, scores)
            right.action, right.label = examples.action[e], examples.label[e]
            time += 1
            learn_transition(table, &rule, classes, ids, count, right, examples.legal[e], scores, time, &tally)
    free(scores)
    return tally.examples, tally.mistakes, tally.updates


cdef inline void prefetch(const Table* table, const int* ids, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        PREFETCH_ROW(&table.rows[ids[i]])


cdef inline double random(uint64_t* seed) noexcept nogil:
    """A number from 0 to 1. SplitMix64, Steele, Lea and Flood (2014)."""
    cdef uint64_t z
    seed[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = seed[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    z = z ^ (z >> 31)
    return (z >> 11) * (1.0 / 9007199254740992.0)


cdef Transition learn_best(
    Table* table, const Rule* rule, const Classes* classes, const int* ids, int count, const State* state,
    const System* system, const Gold* gold, const int* gold_label, int allowed, const float* scores, double time,
    Tally* tally,
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
            or gold.head[child] != head_of(state, action)
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
        best.label = gold_label[child]
        if gold.head[child] == head_of(state, best.action) and class_of(classes, best.action, best.label) >= 0:
            c = best_label(classes, scores, best.action, ACTIONS + best.label)
            if c >= 0:
                tally.updates += learn_pair(table, rule, ids, count, ACTIONS + best.label, c, scores, time)
        else:
            best.label = best_label(classes, scores, best.action, -1) - ACTIONS
    return best


cdef int score_all(
    Table* table, const State* state, const Templates* templates, const Words* words, Kept* kept, long long sentence,
    uint64_t* keys, int* ids, float* scores,
) noexcept nogil:
    """The scores of all classes in a configuration; the numbers of its features go to `ids`, their count comes back.

    What only one word decides is looked up once in a sentence, that is after the stamp `sentence`, and added up again
    when the weights have changed.
    """
    cdef View view
    cdef int part, count, found
    cdef size_t cell
    cdef float* sums
    look(state, templates, words, &view)
    memset(scores, 0, table.classes * sizeof(float))
    count = keys_of(templates, words, &view, 0, templates.part[1], keys)
    count = number(table, keys, count, ids)
    score(table, ids, count, scores)
    for part in range(1, templates.parts):
        cell = cell_of(kept, part, view.node[templates.base[part]])
        sums = kept.scores + cell * table.classes
        if kept.numbered[cell] < sentence:
            kept.numbered[cell] = kept.stamp
            found = keys_of(templates, words, &view, templates.part[part], templates.part[part + 1], keys)
            kept.count[cell] = number(table, keys, found, kept.ids + cell * kept.most)
        if kept.filled[cell] != kept.stamp:
            kept.filled[cell] = kept.stamp
            memset(sums, 0, table.classes * sizeof(float))
            score(table, kept.ids + cell * kept.most, kept.count[cell], sums)
        add_row(scores, sums, table.classes)
        memcpy(ids + count, kept.ids + cell * kept.most, kept.count[cell] * sizeof(int))
        count += kept.count[cell]
    return count


def explore(
    Setup setup, Weights weights, const int[::1] order, const int[::1] offsets, const int[::1] heads,
    const int[::1] labels, int kind, double strength, double time, double probability, uint64_t seed,
):
    """One pass over sentences with the dynamic oracle, following its own predictions with the given probability."""
    cdef Rule rule
    cdef Table* table = &weights.table
    cdef Classes* classes = &setup.classes
    cdef Tally tally
    cdef State state
    cdef Gold gold
    cdef Words words
    cdef Kept kept
    cdef Transition right, predicted
    cdef int i, s, n, count, allowed
    cdef long long updates, sentence
    cdef uint64_t* keys = <uint64_t*> malloc(setup.most_features * sizeof(uint64_t))
    cdef int* ids = <int*> malloc(setup.most_features * sizeof(int))
    cdef float* scores = <float*> malloc(classes.count * sizeof(float))
    rule.kind, rule.strength = kind, strength
    tally.examples = tally.mistakes = tally.updates = 0
    if (
        scores == NULL or keys == NULL or ids == NULL
        or not reserve(&state, setup.longest) or not reserve_gold(&gold, setup.longest)
        or not reserve_kept(&kept, setup.templates.parts, setup.longest, classes.count, setup.most_features)
    ):
        raise MemoryError
    with nogil:
        for i in range(<int> order.shape[0]):
            s = order[i]
            n = offsets[s + 1] - offsets[s]
            words = words_at(setup, offsets[s])
            prepare(&gold, &state, &setup.system, &heads[offsets[s]], n)
            begin(&state, &setup.system, n)
            kept.stamp += 1
            sentence = kept.stamp
            while not is_final(&state, &setup.system):
                count = score_all(table, &state, &setup.templates, &words, &kept, sentence, keys, ids, scores)
                allowed = legal(&state, &setup.system)
                predicted = choose(classes, scores, allowed)
                time += 1
                updates = tally.updates
                right = learn_best(
                    table, &rule, classes, ids, count, &state, &setup.system, &gold, &labels[offsets[s]] - 1, allowed,
                    scores, time, &tally,
                )
                kept.stamp += tally.updates != updates
                if random(&seed) < probability:
                    right = predicted
                apply(&state, &setup.system, right.action, right.label)
    release(&state)
    release_gold(&gold)
    release_kept(&kept)
    free(keys)
    free(ids)
    free(scores)
    return tally.examples, tally.mistakes, tally.updates


cdef inline int head_of(const State* state, int action) noexcept nogil:
    """The head that an arc action of arc-eager would give."""
    return state.queue[state.front] if action == LEFT else state.stack[state.size - 1]
