"""Transition systems and oracles as questions for Python: derivations in; trees, costs and features out."""

from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.features.templates cimport TemplateTable, Templates, WordTable, Words, most_keys, templates_over
from headway.kernels.transition.features cimport extract
from headway.kernels.transition.setup cimport Workspace, derivation_workspace, first_action, next_action
from headway.kernels.transition.state cimport ACTIONS, begin
from headway.kernels.transition.systems.dispatch cimport costs, prepare
from headway.kernels.transition.systems.single_root cimport choices, perform
from headway.kernels.transition.systems.system cimport SystemKernel
from headway.kernels.trees.tree cimport NOTHING


cdef int perform_all(
    SystemKernel chosen, Workspace space, int n, const int[::1] actions, const int[::1] labels
) except -1:
    """Perform actions from the initial configuration of n words; the first one that is not legal raises."""
    cdef int i
    begin(&space.state, chosen.system.root, n)
    for i in range(<int> actions.shape[0]):
        if not (0 <= actions[i] < ACTIONS and choices(&space.state, &chosen.system) >> actions[i] & 1):
            raise ValueError(f"{actions[i]} is not legal as action {i + 1}")
        perform(&space.state, &chosen.system, actions[i], 0 if labels is None else labels[i])
        chosen.check(&space.state)
    return 0


def replay(SystemKernel chosen not None, const int[::1] actions, const int[::1] gold, int[::1] heads):
    """Perform actions from the initial configuration of a sentence, as a parser does.

    `heads` becomes the heads so far, -1 where there is none. Returns the legal actions as bits, whether the tree is
    complete, and the cost of each action of a system with a dynamic oracle against the `gold` heads. The first action
    that is not legal raises.
    """
    cdef int i, allowed, n = <int> gold.shape[0]
    cdef int[ACTIONS] cost
    cdef Workspace space = derivation_workspace(n)
    prepare(&space.gold, &space.state, &chosen.system, &gold[0], n)
    perform_all(chosen, space, n, actions, None)
    for i in range(n):
        heads[i] = space.state.tree.head[i + 1]
    costs(&space.state, &chosen.system, &space.gold, cost)
    allowed = choices(&space.state, &chosen.system)
    return allowed, allowed == 0, [cost[i] for i in range(ACTIONS)]


def derive(SystemKernel chosen not None, const int[::1] gold):
    """The actions of the static oracle for the gold heads, as far as they are legal."""
    cdef int action, n = <int> gold.shape[0]
    cdef Workspace space = derivation_workspace(n)
    cdef list actions = []
    action = first_action(space, &chosen.system, &gold[0], n)
    while action != NOTHING:
        actions.append(action)
        action = next_action(space, &chosen.system, action, 0)
    chosen.check(&space.state)
    return actions


def keys_after(
    SystemKernel chosen not None, const int[::1] actions, const int[::1] labels, TemplateTable templates not None,
    WordTable sentence not None, const uint64_t[::1] label_keys,
):
    """The keys of all features after some actions on a sentence; `labels` are those of the actions' arcs."""
    cdef Workspace space = derivation_workspace(sentence.count)
    cdef Templates model = templates_over(templates, sentence)
    cdef Words words = sentence.words
    cdef uint64_t[::1] found = np.empty(most_keys(templates, sentence) + 1, np.uint64)
    words.labels = &label_keys[0]
    perform_all(chosen, space, sentence.count, actions, labels)
    return found.base[: extract(&space.state, &model, &words, &found[0])]
