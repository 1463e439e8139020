"""Learning graph parsers: one pass over trees, each parsed with the weights so far."""

from libc.math cimport INFINITY, sqrt

from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.graph.collecting cimport collect_arc, collect_sibling
from headway.kernels.graph.decoding cimport k_best_trees
from headway.kernels.graph.eisner cimport adjacent
from headway.kernels.graph.labels cimport LabelFeatures, best_but, grow, keys_of_label, next_word, place_of
from headway.kernels.graph.parsing cimport (
    Graph, Workspace, decode, finish_scores, parser_workspace, score_label, score_sentence, scores_siblings,
)
from headway.kernels.graph.structured cimport (
    SMALLEST, Delta, HashedWeights, add_to, clear_delta, learn_all, learn_one, margin_of, release_delta, reserve_delta,
    solve,
)
from headway.kernels.weights.rules cimport Rule, StepRule, is_settled


cdef enum:
    SLOPES = 4      # tangents of the square root that are tried for a sentence


cdef struct LearningOptions:
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


cdef struct TreeTally:
    long long words
    long long mistakes
    long long updates


cdef void collect_labels(Workspace space, int p, int c, int label, int count, Delta* delta) noexcept nogil:
    """Count the features of an arc's label."""
    cdef const LabelFeatures* labels = &space.graph.labels
    cdef int i, found = keys_of_label(labels, &space.tree, &space.hashes.words, p, c, space.label_keys)
    for i in range(found):
        add_to(delta, <int> place_of(labels, space.label_keys[i], label), count)


cdef int difference(Workspace space, bint labelled, const int* heads, Delta* delta) noexcept nogil:
    """F(gold) − F(heads), and how many words are wrong, with `labelled` also by their labels."""
    cdef int c, n = space.hashes.words.n, wrong = 0, label
    cdef bint siblings = scores_siblings(space)
    clear_delta(delta)
    if siblings:
        adjacent(heads, n, space.nearest, space.previous)
    for c in range(1, n + 1):
        if heads[c] != space.gold[c]:
            wrong += 1
            collect_arc(&space.hashes, space.gold[c], c, 1, delta)
            collect_arc(&space.hashes, heads[c], c, -1, delta)
        if siblings and (heads[c] != space.gold[c] or space.previous[c] != space.gold_previous[c]):
            collect_sibling(&space.hashes, space.gold[c], c, space.gold_previous[c], 1, delta)
            collect_sibling(&space.hashes, heads[c], c, space.previous[c], -1, delta)
        if space.graph.joint:
            label = space.best_label[heads[c] * (n + 1) + c]
            if heads[c] != space.gold[c] or label != space.gold_label[c]:
                collect_labels(space, space.gold[c], c, space.gold_label[c], 1, delta)
                collect_labels(space, heads[c], c, label, -1, delta)
                wrong += labelled and heads[c] == space.gold[c]
    return wrong


cdef void prepare_scores(
    Workspace space, const Words* words, const LearningOptions* options, const float* weights
) noexcept nogil:
    """Scores of a sentence for learning: with the best labels where they are joint, with costs where these are wanted.
    """
    score_sentence(space, words, weights)
    finish_scores(
        space, weights, options.bonus if options.augmented else 0,
        options.bonus if options.augmented and options.labelled else 0,
    )


cdef int find_wrong(
    Workspace space, const Words* words, LearningOptions* options, HashedWeights* learned, Delta* delta
) noexcept nogil:
    """Find the tree whose score and √ρ together are best; how many words are wrong.

    √ρ is no sum over words, so that no decoder can add it. It lies below each of its tangents, whose slope at ρ wrong
    words is 1 / 2√ρ: a tree found with one slope gives the next, and the best of all trees found is taken. It need not
    be the best there is, but is never worse than the one that ρ alone would find.
    """
    cdef int wrong = 0, _slope
    cdef double bonus = 1, best = -INFINITY, best_bonus = 1, violation, variance
    for _slope in range(SLOPES):
        options.bonus = bonus
        prepare_scores(space, words, options, learned.weights)
        decode(space)
        if space.graph.decoder.failed:
            return 0
        wrong = difference(space, options.labelled, space.heads, delta)
        violation = sqrt(wrong) - margin_of(learned, delta, &variance)
        if violation > best:
            best, best_bonus = violation, bonus
        if wrong == 0 or 0.5 / sqrt(wrong) == bonus:
            break
        bonus = 0.5 / sqrt(wrong)
    if options.bonus != best_bonus:
        options.bonus = best_bonus
        prepare_scores(space, words, options, learned.weights)
        decode(space)
        wrong = difference(space, options.labelled, space.heads, delta)
    options.bonus = 1
    return wrong


cdef int find_rivals(
    Workspace space, const Words* words, LearningOptions* options, HashedWeights* learned, Delta* deltas,
    double* losses, TreeTally* tally,
) noexcept nogil:
    """Find the trees to learn from, the best first: δ and loss of each; how many there are.

    For √ρ they are the best ones along the tangent that the best tree was found with.
    """
    cdef int i, wrong = 0, found = 1, used = 0, n = words.n
    cdef bint by_root = options.augmented and options.square_root
    if by_root:
        wrong = find_wrong(space, words, options, learned, deltas)
    else:
        prepare_scores(space, words, options, learned.weights)
    if options.k == 1 and not options.wrong:
        if not by_root:
            decode(space)
            wrong = 0 if space.graph.decoder.failed else difference(space, options.labelled, space.heads, deltas)
        tally.mistakes += wrong
        losses[0] = sqrt(wrong) if options.square_root else wrong
        return not space.graph.decoder.failed and deltas.used and not deltas.failed
    found = k_best_trees(
        space.graph.decoder, space, space.scores, n, options.k + options.wrong, space.graph.single, space.heads,
        space.totals,
    )
    deltas.failed |= found < 0
    for i in range(found):
        if used == options.k:
            break
        wrong = difference(space, options.labelled, space.heads + i * (n + 1), &deltas[used])
        if i == 0:
            tally.mistakes += wrong
        if deltas[used].used and not deltas[used].failed:
            losses[used] = sqrt(wrong) if options.square_root else wrong
            used += 1
    return used


cdef void learn_tree(
    Workspace space, const Words* words, LearningOptions* options, HashedWeights* learned, Delta* deltas,
    double time, TreeTally* tally,
) noexcept nogil:
    """Learn from the best trees: all at once, or one after the other, each with the weights that the last one left.

    Mejer and Crammer (2010) learn CW from k trees in the second way.
    """
    cdef double* losses = space.totals + options.k + 1
    cdef int i, moved = 0, used = find_rivals(space, words, options, learned, deltas, losses, tally)
    if options.together and used > 1:
        moved = learn_all(learned, deltas, losses, used, losses + options.k, time)
    else:
        for i in range(used):
            moved += learn_one(learned, &deltas[i], &options.rule, losses[i], losses[i] if options.beyond else 0, time)
    tally.updates += moved > 0


cdef void learn_labels(
    Workspace space, const LearningOptions* options, HashedWeights* learned, Delta* delta, double time
) noexcept nogil:
    """Learn the labels of the gold tree one by one: the right one against the best of the others."""
    cdef const LabelFeatures* labels = &space.graph.labels
    cdef int c, label, best, right, count
    cdef float* scores = space.label_scores
    if labels.count < 2 or labels.templates.templates == 0:
        return
    grow(&space.tree, space.gold, space.hashes.words.n)
    c = next_word(&space.tree, 0)
    while c:
        right = space.gold_label[c]
        count = score_label(space, learned.weights, space.gold[c], c)
        best = best_but(scores, labels.count, right)
        if not is_settled(&options.rule, 1, scores[right] - scores[best], 2.0 * count * options.initial):
            clear_delta(delta)
            for label in range(count):
                add_to(delta, <int> place_of(labels, space.label_keys[label], right), 1)
                add_to(delta, <int> place_of(labels, space.label_keys[label], best), -1)
            if not delta.failed:
                learn_one(learned, delta, &options.rule, 1, 0, time)
        space.tree.label[c] = right
        c = next_word(&space.tree, c)


cdef HashedWeights learned_in(float[::1] weights, float[::1] sums, float[::1] variances):
    cdef HashedWeights learned
    learned.weights = &weights[0]
    learned.sums = &sums[0] if sums.shape[0] else NULL
    learned.variances = &variances[0] if variances.shape[0] else NULL
    return learned


def learn(
    Graph graph, float[::1] weights, float[::1] sums, float[::1] variances, const int[::1] order,
    const int[::1] offsets, const int[::1] heads, const int[::1] labels, StepRule rule not None,
    double initial, bint square_root, bint labelled, bint augmented, int k, bint wrong, bint together,
    bint beyond, double time,
):
    """One pass over sentences in the given order; `sums` and `variances` may be empty.

    Returns how many words there were, how many of them wrong in the best tree, and how many trees taught something.
    """
    cdef Workspace space = parser_workspace(graph, k + wrong if k + wrong > 1 else 0)
    cdef LearningOptions options = LearningOptions(
        rule.rule, initial, square_root, labelled, augmented, 1, k, wrong, together, beyond
    )
    cdef TreeTally tally = TreeTally(0, 0, 0)
    cdef HashedWeights learned = learned_in(weights, sums, variances)
    cdef Words words
    cdef Delta* deltas = <Delta*> space.take(k, sizeof(Delta))
    cdef int i, c, s, n
    cdef bint failed = False
    for i in range(k):
        failed = failed or not reserve_delta(&deltas[i], SMALLEST)
    if not failed:
        with nogil:
            for i in range(<int> order.shape[0]):
                s = order[i]
                n = offsets[s + 1] - offsets[s]
                time += 1
                if n == 0:
                    continue
                words = sentence_of(&graph.words, graph.arcs.columns, offsets[s], n)
                for c in range(1, n + 1):
                    space.gold[c] = heads[offsets[s] + c - 1]
                    space.gold_label[c] = labels[offsets[s] + c - 1]
                adjacent(space.gold, n, space.nearest, space.gold_previous)
                learn_tree(space, &words, &options, &learned, deltas, time, &tally)
                if not graph.joint:
                    learn_labels(space, &options, &learned, deltas, time)
                tally.words += n
                if rule.failed or graph.decoder.failed:
                    break
    for i in range(k):
        failed = failed or deltas[i].failed
        release_delta(&deltas[i])
    if failed:
        raise MemoryError
    rule.check()
    graph.decoder.check()
    return tally.words, tally.mistakes, tally.updates


def hildreth(const double[:, ::1] gram, const double[::1] wanted, double[::1] steps):
    """Write the steps of Hildreth's algorithm; the number of rounds it took."""
    return solve(&gram[0, 0], &wanted[0], <int> wanted.shape[0], &steps[0])


def update(
    float[::1] weights, float[::1] sums, float[::1] variances, const int[::1] index, const int[::1] count,
    StepRule rule not None, double loss, double time, double beyond=0,
):
    """One step of a learner along a sparse δ; `sums` and `variances` may be empty. Whether anything was learned."""
    cdef HashedWeights learned = learned_in(weights, sums, variances)
    cdef Delta delta
    cdef int i
    if not reserve_delta(&delta, SMALLEST):
        raise MemoryError
    for i in range(<int> index.shape[0]):
        add_to(&delta, index[i], count[i])
    moved = learn_one(&learned, &delta, &rule.rule, loss, beyond, time)
    release_delta(&delta)
    rule.check()
    return bool(moved)
