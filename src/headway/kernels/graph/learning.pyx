"""Learning graph parsers: one pass over trees, each parsed with the weights so far."""

from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport free, malloc

from headway.kernels.graph.arcs cimport collect_arc, collect_sibling, score_arcs, score_siblings
from headway.kernels.graph.eisner_k_best cimport k_best_projective
from headway.kernels.graph.parsing cimport (
    Graph, Room, adjacent, decode, release_room, reserve_room, scores_siblings,
)
from headway.kernels.features.hashes cimport prepare
from headway.kernels.graph.labels cimport grow, keys_of_label, next_word, place_of, score_labels
from headway.kernels.weights.rules cimport Rule, StepRule, is_settled
from headway.kernels.graph.spanning_k_best cimport k_best_spanning
from headway.kernels.graph.structured cimport (
    Delta, Vector, add_to, clear_delta, learn_all, learn_one, margin_of, release_delta, reserve_delta,
)
from headway.kernels.features.templates cimport Words, sentence_of


cdef enum:
    SLOPES = 4      # tangents of the square root that are tried for a sentence


cdef struct Task:
    Rule rule
    double initial      # variance before the first update
    bint square_root    # of the loss
    bint labelled       # whether a wrong label counts as a loss
    bint augmented      # whether the tree is looked for that is wrong and good
    double bonus        # what a wrong word adds to the score of a tree while it is looked for
    int k               # trees to learn from
    bint wrong          # whether the gold tree never is one of them
    bint together       # whether they are learned from all at once, not one after the other
    bint beyond         # whether the learner's own margin counts beyond the loss


cdef struct Tally:
    long long words
    long long mistakes
    long long updates


cdef void collect_labels(
    Graph graph, Room* room, const Words* words, int p, int c, int label, int count, Delta* delta
) noexcept nogil:
    """Count the features of an arc's label."""
    cdef int i, found = keys_of_label(&graph.labels, &room.tree, words, p, c, room.label_keys)
    for i in range(found):
        add_to(delta, <int> place_of(&graph.labels, room.label_keys[i], label), count)


cdef int difference(
    Graph graph, Room* room, const Words* words, const Task* task, const int* heads, Delta* delta
) noexcept nogil:
    """F(gold) − F(heads), and how many words are wrong."""
    cdef int c, n = words.n, wrong = 0, label
    cdef bint siblings = scores_siblings(graph, n)
    clear_delta(delta)
    if siblings:
        adjacent(heads, n, room.nearest, room.previous)
    for c in range(1, n + 1):
        if heads[c] != room.gold[c]:
            wrong += 1
            collect_arc(&room.hashes, &graph.arcs, words, room.gold[c], c, 1, delta)
            collect_arc(&room.hashes, &graph.arcs, words, heads[c], c, -1, delta)
        if siblings and (heads[c] != room.gold[c] or room.previous[c] != room.gold_previous[c]):
            collect_sibling(&room.hashes, &graph.arcs, words, room.gold[c], c, room.gold_previous[c], 1, delta)
            collect_sibling(&room.hashes, &graph.arcs, words, heads[c], c, room.previous[c], -1, delta)
        if graph.joint:
            label = room.best_label[heads[c] * (n + 1) + c]
            if heads[c] != room.gold[c] or label != room.gold_label[c]:
                collect_labels(graph, room, words, room.gold[c], c, room.gold_label[c], 1, delta)
                collect_labels(graph, room, words, heads[c], c, label, -1, delta)
                wrong += task.labelled and heads[c] == room.gold[c]
    return wrong


cdef void prepare_scores(
    Graph graph, Room* room, const Words* words, const Task* task, const float* weights
) noexcept nogil:
    """Scores of a sentence for learning: with the best labels where they are joint, with costs where these are wanted.
    """
    cdef int p, c, label, best, count, n = words.n
    cdef double* score
    prepare(&room.hashes, &graph.arcs, words)
    score_arcs(&room.hashes, &graph.arcs, words, weights, room.scores)
    if scores_siblings(graph, n):
        score_siblings(&room.hashes, &graph.arcs, words, weights, room.siblings)
    if not graph.joint and not task.augmented:
        return
    room.tree.n = n
    for p in range(n + 1):
        for c in range(1, n + 1):
            if p == c:
                continue
            score = &room.scores[p * (n + 1) + c]
            if task.augmented and p != room.gold[c]:
                score[0] += task.bonus
            if not graph.joint:
                continue
            count = keys_of_label(&graph.labels, &room.tree, words, p, c, room.label_keys)
            score_labels(&graph.labels, weights, room.label_keys, count, room.label_scores)
            if task.augmented and task.labelled and p == room.gold[c]:
                for label in range(graph.labels.count):
                    if label != room.gold_label[c]:
                        room.label_scores[label] += task.bonus
            best = 0
            for label in range(1, graph.labels.count):
                if room.label_scores[label] > room.label_scores[best]:
                    best = label
            room.best_label[p * (n + 1) + c] = best
            score[0] += room.label_scores[best]


cdef int find_wrong(
    Graph graph, Room* room, const Words* words, Task* task, Vector* vector, Delta* delta
) noexcept nogil:
    """Find the tree whose score and √ρ together are best; how many words are wrong.

    √ρ is no sum over words, so that no decoder can add it. It lies below each of its tangents, whose slope at ρ wrong
    words is 1 / 2√ρ: a tree found with one slope gives the next, and the best of all trees found is taken. It need not
    be the best there is, but is never worse than the one that ρ alone would find.
    """
    cdef int wrong = 0, _slope
    cdef double bonus = 1, best = -INFINITY, best_bonus = 1, violation, variance
    for _slope in range(SLOPES):
        task.bonus = bonus
        prepare_scores(graph, room, words, task, vector.weights)
        decode(graph, room, words.n)
        if graph.failed:
            return 0
        wrong = difference(graph, room, words, task, room.heads, delta)
        violation = sqrt(wrong) - margin_of(vector, delta, &variance)
        if violation > best:
            best, best_bonus = violation, bonus
        if wrong == 0 or 0.5 / sqrt(wrong) == bonus:
            break
        bonus = 0.5 / sqrt(wrong)
    if task.bonus != best_bonus:
        task.bonus = best_bonus
        prepare_scores(graph, room, words, task, vector.weights)
        decode(graph, room, words.n)
        wrong = difference(graph, room, words, task, room.heads, delta)
    task.bonus = 1
    return wrong


cdef int k_best(Graph graph, Room* room, int n, int k) noexcept nogil:
    """The k best trees under the scores in the room; how many there are."""
    if graph.projective:
        return k_best_projective(
            &room.chart, &room.forest, room.scores, n, k, graph.single, room.heads, room.totals
        )
    return k_best_spanning(
        &room.contraction, &room.ranking, room.scores, n, k, graph.single, room.heads, room.totals
    )


cdef int find_rivals(
    Graph graph, Room* room, const Words* words, Task* task, Vector* vector, Delta* deltas, double* losses, Tally* tally
) noexcept nogil:
    """Find the trees to learn from, the best first: δ and loss of each; how many there are.

    For √ρ they are the best ones along the tangent that the best tree was found with.
    """
    cdef int i, wrong = 0, found = 1, used = 0, n = words.n
    cdef bint by_root = task.augmented and task.square_root
    if by_root:
        wrong = find_wrong(graph, room, words, task, vector, deltas)
    else:
        prepare_scores(graph, room, words, task, vector.weights)
    if task.k == 1 and not task.wrong:
        if not by_root:
            decode(graph, room, n)
            wrong = 0 if graph.failed else difference(graph, room, words, task, room.heads, deltas)
        tally.mistakes += wrong
        losses[0] = sqrt(wrong) if task.square_root else wrong
        return not graph.failed and deltas.used and not deltas.failed
    found = k_best(graph, room, n, task.k + task.wrong)
    deltas.failed |= found < 0
    for i in range(found):
        if used == task.k:
            break
        wrong = difference(graph, room, words, task, room.heads + i * (n + 1), &deltas[used])
        if i == 0:
            tally.mistakes += wrong
        if deltas[used].used and not deltas[used].failed:
            losses[used] = sqrt(wrong) if task.square_root else wrong
            used += 1
    return used


cdef void learn_tree(
    Graph graph, Room* room, const Words* words, Task* task, Vector* vector, Delta* deltas, double time, Tally* tally,
) noexcept nogil:
    """Learn from the best trees: all at once, or one after the other, each with the weights that the last one left.

    Mejer and Crammer (2010) learn CW from k trees in the second way.
    """
    cdef double* losses = room.totals + task.k + 1
    cdef int i, moved = 0, used = find_rivals(graph, room, words, task, vector, deltas, losses, tally)
    if task.together and used > 1:
        moved = learn_all(vector, deltas, losses, used, losses + task.k, time)
    else:
        for i in range(used):
            moved += learn_one(vector, &deltas[i], &task.rule, losses[i], losses[i] if task.beyond else 0, time)
    tally.updates += moved > 0


cdef void learn_labels(
    Graph graph, Room* room, const Words* words, const Task* task, Vector* vector, Delta* delta, double time
) noexcept nogil:
    """Learn the labels of the gold tree one by one: the right one against the best of the others."""
    cdef int c, label, best, right, count
    cdef float* scores = room.label_scores
    if graph.labels.count < 2 or graph.labels.templates.templates == 0:
        return
    grow(&room.tree, room.gold, words.n)
    c = next_word(&room.tree, 0)
    while c:
        right = room.gold_label[c]
        count = keys_of_label(&graph.labels, &room.tree, words, room.gold[c], c, room.label_keys)
        score_labels(&graph.labels, vector.weights, room.label_keys, count, scores)
        best = 1 if right == 0 else 0
        for label in range(graph.labels.count):
            if scores[label] > scores[best] and label != right:
                best = label
        if not is_settled(&task.rule, scores[right] - scores[best], 2.0 * count * task.initial):
            clear_delta(delta)
            for label in range(count):
                add_to(delta, <int> place_of(&graph.labels, room.label_keys[label], right), 1)
                add_to(delta, <int> place_of(&graph.labels, room.label_keys[label], best), -1)
            if not delta.failed:
                learn_one(vector, delta, &task.rule, 1, 0, time)
        room.tree.label[c] = right
        c = next_word(&room.tree, c)


def learn(
    Graph graph, float[::1] weights, float[::1] sums, float[::1] variances, const int[::1] order,
    const int[::1] offsets, const int[::1] heads, const int[::1] labels, StepRule rule not None,
    double initial, bint square_root, bint labelled, bint augmented, int k, bint wrong, bint together,
    bint beyond, double time,
):
    """One pass over sentences in the given order; `sums` and `variances` may be empty.

    Returns how many words there were, how many of them wrong in the best tree, and how many trees taught something.
    """
    cdef Room room
    cdef Task task
    cdef Tally tally
    cdef Vector vector
    cdef Words words
    cdef Delta* deltas = <Delta*> malloc(k * sizeof(Delta))
    cdef int i, c, s, n, ready = 0
    cdef bint failed = False
    vector.weights = &weights[0]
    vector.sums = &sums[0] if sums.shape[0] else NULL
    vector.variances = &variances[0] if variances.shape[0] else NULL
    task.rule, task.initial = rule.rule, initial
    task.square_root, task.labelled, task.augmented, task.k, task.bonus = square_root, labelled, augmented, k, 1
    task.wrong, task.together, task.beyond = wrong, together, beyond
    tally.words = tally.mistakes = tally.updates = 0
    if deltas == NULL or not reserve_room(&room, graph, k + wrong):
        free(deltas)
        raise MemoryError
    while ready < k and reserve_delta(&deltas[ready]):
        ready += 1
    if ready == k:
        with nogil:
            for i in range(<int> order.shape[0]):
                s = order[i]
                n = offsets[s + 1] - offsets[s]
                time += 1
                if n == 0:
                    continue
                words = sentence_of(&graph.words, graph.arcs.columns, offsets[s], n)
                for c in range(1, n + 1):
                    room.gold[c] = heads[offsets[s] + c - 1]
                    room.gold_label[c] = labels[offsets[s] + c - 1]
                adjacent(room.gold, n, room.nearest, room.gold_previous)
                learn_tree(graph, &room, &words, &task, &vector, deltas, time, &tally)
                if not graph.joint:
                    learn_labels(graph, &room, &words, &task, &vector, deltas, time)
                tally.words += n
                if rule.failed or graph.failed:
                    break
    for i in range(ready):
        failed = failed or deltas[i].failed
        release_delta(&deltas[i])
    free(deltas)
    release_room(&room)
    if failed or ready < k:
        raise MemoryError
    rule.check()
    graph.check()
    return tally.words, tally.mistakes, tally.updates
