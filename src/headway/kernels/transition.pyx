"""Transition systems and oracles as questions for Python: derivations in, trees and costs out."""

from headway.kernels.oracle cimport Gold, costs, prepare, release_gold, reserve_gold, static_action
from headway.kernels.single_root cimport choices, perform
from headway.kernels.state cimport (
    ACTIONS, ARC_EAGER, ARC_STANDARD, ARC_SWAP, ROOT_END, ROOT_NONE, ROOT_START, SWAP, State, System, apply, begin,
    is_final, legal, release, reserve,
)

ACTION_NAMES = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE", "SWAP")
SYSTEMS = {"arc-eager": ARC_EAGER, "arc-standard": ARC_STANDARD, "swap": ARC_SWAP}
ROOTS = {"end": ROOT_END, "start": ROOT_START, "none": ROOT_NONE}


def replay(int kind, int root, bint single, int n, const int[::1] actions, const int[::1] gold, int[::1] heads):
    """Perform actions from the initial configuration of n words, as a parser does.

    `heads` becomes the heads so far, -1 where there is none. Returns the legal actions as bits, whether the tree is
    complete, and the cost of each action of arc-eager against the gold heads. The first action that is not legal
    raises.
    """
    cdef System system
    cdef State state
    cdef Gold answer
    cdef int i, allowed
    cdef int[ACTIONS] cost
    system.kind, system.root, system.single = kind, root, single
    if not reserve(&state, n) or not reserve_gold(&answer, n):
        raise MemoryError
    try:
        prepare(&answer, &state, &system, &gold[0], n)
        begin(&state, &system, n)
        for i in range(actions.shape[0]):
            if not (0 <= actions[i] < ACTIONS and choices(&state, &system) >> actions[i] & 1):
                raise ValueError(f"{actions[i]} is not legal as action {i + 1}")
            perform(&state, &system, actions[i], 0)
        for i in range(n):
            heads[i] = state.tree.head[i + 1]
        costs(&state, &system, &answer, cost)
        allowed = choices(&state, &system)
        return allowed, allowed == 0, [cost[i] for i in range(SWAP)]
    finally:
        release(&state)
        release_gold(&answer)


def derive(int kind, int root, bint single, const int[::1] gold):
    """The actions of the static oracle for the gold heads, as far as they are legal."""
    cdef System system
    cdef State state
    cdef Gold answer
    cdef int action, n = <int> gold.shape[0]
    cdef list actions = []
    system.kind, system.root, system.single = kind, root, single
    if not reserve(&state, n) or not reserve_gold(&answer, n):
        raise MemoryError
    try:
        prepare(&answer, &state, &system, &gold[0], n)
        begin(&state, &system, n)
        while not is_final(&state, &system):
            action = static_action(&state, &system, &answer)
            if not legal(&state, &system) >> action & 1:
                break
            apply(&state, &system, action, 0)
            actions.append(action)
        return actions
    finally:
        release(&state)
        release_gold(&answer)
