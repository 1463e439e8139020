"""Steps on the weights in use: towards the transitions that build one given tree."""

from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.transition.features cimport extract
from headway.kernels.transition.setup cimport (
    Classes, ParserSetup, Workspace, best_label, best_of, class_of, first_action, next_action, parser_workspace,
)
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.updating cimport OwnWeights
from headway.kernels.weights.frozen cimport Model, evaluate


def step_towards(
    ParserSetup setup, OwnWeights own not None, const int[::1] heads, const int[::1] labels, double wanted,
):
    """Go the way of the static oracle to a tree of the setup's only sentence; a step wherever it would not be taken.

    `wanted` is the margin by which transitions of the way win at least. Returns the number of steps. Linear time.
    """
    cdef Classes* classes = &setup.classes
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef Model model
    cdef int i, n = <int> heads.shape[0], action, child, label, right, wrong, count, steps = 0
    words = sentence_of(&setup.words, setup.templates.columns, 0, n)
    action = first_action(space, &setup.system, &heads[0], n)
    while action != NOTHING:
        count = extract(&space.state, &setup.templates, &words, space.keys)
        model = own.model()
        for i in range(classes.count):
            space.scores[i] = 0
        evaluate(&model, space.keys, count, space.places, space.scores)
        child = child_of(&space.state, &setup.system, action)
        label = NOTHING if child == NOTHING else labels[child - 1]
        right = action if classes.two_step else class_of(classes, action, label)
        wrong = best_of(classes, space.scores, space.allowed, right)
        if right >= 0 and wrong >= 0:
            steps += own.step(
                space.keys, count, &right, 1, &wrong, 1, space.scores[right] - space.scores[wrong], wanted
            )
        if classes.two_step and label != NOTHING:
            right = class_of(classes, action, label)
            wrong = best_label(classes, space.scores, action, right)
            if right >= 0 and wrong >= 0:
                steps += own.step(
                    space.keys, count, &right, 1, &wrong, 1, space.scores[right] - space.scores[wrong], wanted
                )
        action = next_action(space, &setup.system, action, label)
    setup.chosen.check(&space.state)
    return steps
