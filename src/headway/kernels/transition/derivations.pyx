"""Transition systems and oracles as questions for Python: derivations in, trees and costs out."""

from headway.kernels.transition.gold cimport Gold, release_gold
from headway.kernels.transition.systems.oracle cimport costs, guided, prepare
from headway.kernels.transition.systems.single_root cimport choices, perform
from headway.kernels.transition.state cimport ACTIONS, State, begin, release
from headway.kernels.transition.systems.dispatch cimport apply
from headway.kernels.transition.systems.system cimport System, SystemKernel
from headway.kernels.transition.workspace cimport reserve_way
from headway.kernels.trees.tree cimport NOTHING


def replay(SystemKernel chosen not None, const int[::1] actions, const int[::1] gold, int[::1] heads):
    """Perform actions from the initial configuration of a sentence, as a parser does.

    `heads` becomes the heads so far, -1 where there is none. Returns the legal actions as bits, whether the tree is
    complete, and the cost of each action of a system with a dynamic oracle against the `gold` heads. The first action
    that is not legal raises.
    """
    cdef System* system = &chosen.system
    cdef State state
    cdef Gold answer
    cdef int i, allowed, n = <int> gold.shape[0]
    cdef int[ACTIONS] cost
    if not reserve_way(&state, &answer, n):
        raise MemoryError
    try:
        prepare(&answer, &state, system, &gold[0], n)
        begin(&state, system.root, n)
        for i in range(actions.shape[0]):
            if not (0 <= actions[i] < ACTIONS and choices(&state, system) >> actions[i] & 1):
                raise ValueError(f"{actions[i]} is not legal as action {i + 1}")
            perform(&state, system, actions[i], 0)
            chosen.check(&state)
        for i in range(n):
            heads[i] = state.tree.head[i + 1]
        costs(&state, system, &answer, cost)
        allowed = choices(&state, system)
        return allowed, allowed == 0, [cost[i] for i in range(ACTIONS)]
    finally:
        release(&state)
        release_gold(&answer)


def derive(SystemKernel chosen not None, const int[::1] gold):
    """The actions of the static oracle for the gold heads, as far as they are legal."""
    cdef System* system = &chosen.system
    cdef State state
    cdef Gold answer
    cdef int action, allowed, n = <int> gold.shape[0]
    cdef list actions = []
    if not reserve_way(&state, &answer, n):
        raise MemoryError
    try:
        prepare(&answer, &state, system, &gold[0], n)
        begin(&state, system.root, n)
        action = guided(&state, system, &answer, &allowed)
        while action != NOTHING:
            apply(&state, system, action, 0)
            actions.append(action)
            action = guided(&state, system, &answer, &allowed)
        chosen.check(&state)
        return actions
    finally:
        release(&state)
        release_gold(&answer)
