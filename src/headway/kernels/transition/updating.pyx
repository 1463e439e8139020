"""Steps on the weights in use: towards the transitions that build one given tree."""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.transition.features cimport extract
from headway.kernels.transition.setup cimport (
    Classes, ParserSetup, Workspace, best_label, best_of, class_of, first_action, next_action, parser_workspace,
)
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.packed cimport PackedWeights, evaluate


cdef inline double rate_of(int size) noexcept:
    """How far a weight moves beside others, by the number of weights that its feature has; chosen on dev."""
    return 1.0 / ((1.0 + size) * (1.0 + size))


cdef int towards(
    PackedWeights own, const uint64_t* keys, int count, int right, int wrong, const float* scores, double wanted,
) except -1:
    """One passive-aggressive step that lets a class win by a margin; 1 where there was one to make.

    Weights of features that speak of few classes, mostly rare ones, move further, as if they had more variance: what
    frequent features have learned from the whole treebank is worth more than one sentence.
    """
    cdef double step, rate, total = 0, margin = scores[right] - scores[wrong]
    cdef float* row
    cdef int i
    if margin >= wanted or not count:
        return 0
    for i in range(count):
        total += 2 * rate_of(own.size_of(keys[i]))
    step = (wanted - margin) / total
    for i in range(count):
        rate = step * rate_of(own.size_of(keys[i]))
        row = own.row_of(keys[i])
        row[right] += <float> rate
        row[wrong] -= <float> rate
    return 1


def step_towards(
    ParserSetup setup, PackedWeights own not None, const int[::1] heads, const int[::1] labels, double wanted,
):
    """Go the way of the static oracle to a tree of the setup's only sentence; a step wherever it would not be taken.

    `wanted` is the margin by which transitions of the way are to win. Returns the number of steps. Linear time.
    """
    cdef Classes* classes = &setup.classes
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef int i, n = <int> heads.shape[0], action, child, label, right, wrong, count, steps = 0
    if own.classes != classes.count:
        raise ValueError("the weights are for other classes")
    words = sentence_of(&setup.words, setup.templates.columns, 0, n)
    action = first_action(space, &setup.system, &heads[0], n)
    while action != NOTHING:
        count = extract(&space.state, &setup.templates, &words, space.keys)
        for i in range(classes.count):
            space.scores[i] = 0
        evaluate(own.model(), space.keys, count, space.rows, space.scores)
        child = child_of(&space.state, &setup.system, action)
        label = NOTHING if child == NOTHING else labels[child - 1]
        right = action if classes.two_step else class_of(classes, action, label)
        wrong = best_of(classes, space.scores, space.allowed, right)
        if right >= 0 and wrong >= 0:
            steps += towards(own, space.keys, count, right, wrong, space.scores, wanted)
        if classes.two_step and label != NOTHING:
            right = class_of(classes, action, label)
            wrong = best_label(classes, space.scores, action, right)
            if right >= 0 and wrong >= 0:
                steps += towards(own, space.keys, count, right, wrong, space.scores, wanted)
        action = next_action(space, &setup.system, action, label)
    setup.chosen.check(&space.state)
    return steps
