"""Transition systems that somebody else has compiled: their functions, asked so that a mistake becomes a fault.

A fault stays in the configuration, which then counts as final; `SystemKernel.check` makes a sentence of it.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport (
    ACTIONS, CIRCULAR, ENDLESS, FINE, IMPOSSIBLE_ARC, LEFT, NOTHING_LEGAL, OUT_OF_BOUNDS, RIGHT, SWAP, State, ahead,
    top,
)
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    return state.fault != FINE or system.outside.is_final(state, system)


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    return system.outside.legal(state, system) & system.actions


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    """A word, or NOTHING."""
    cdef int child = system.outside.child_of(state, system, action)
    return child if ROOT < child <= state.tree.n else NOTHING


cdef inline int head_of(const State* state, const System* system, int action) noexcept nogil:
    """A node, or NOTHING."""
    cdef int head = system.outside.head_of(state, system, action)
    return head if ROOT <= head <= state.tree.n else NOTHING


cdef inline bint is_sound(const State* state) noexcept nogil:
    """Whether the stack and the queue are inside their arrays, and hold nodes where they have changed."""
    cdef int n = state.tree.n
    return (
        0 <= state.size <= n + 1 and 0 <= state.front <= state.end <= n + 1
        and NOTHING <= top(state, 0) <= n and NOTHING <= top(state, 1) <= n and NOTHING <= ahead(state, 0) <= n
    )


cdef inline void apply(State* state, const System* system, int action, int label) noexcept nogil:
    """Make the arc of a legal action, then let the system change the stack and the queue."""
    cdef int child, head
    cdef long long n = state.tree.n
    state.steps += 1
    state.swaps += action == SWAP
    if action == LEFT or action == RIGHT:
        child, head = child_of(state, system, action), head_of(state, system, action)
        if child == NOTHING or head == NOTHING or child == head or state.tree.head[child] != NOTHING:
            state.fault = IMPOSSIBLE_ARC
            return
        add_arc(&state.tree, head, child, label)
    system.outside.apply(state, system, action)
    if not is_sound(state):
        state.fault = OUT_OF_BOUNDS
    elif state.steps > 4 * (n + state.swaps + 4) or state.swaps > n * n:
        state.fault = ENDLESS


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """An action, or ACTIONS, which is never legal."""
    cdef int action = system.outside.static_action(state, system, gold)
    return action if 0 <= action < ACTIONS else ACTIONS


cdef inline void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil:
    if system.outside.prepare != NULL:
        system.outside.prepare(gold, scratch, system, heads, n)


cdef inline void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    if system.outside.costs != NULL:
        system.outside.costs(state, system, gold, cost)


cdef inline bint is_tree(State* state) noexcept nogil:
    """Whether no word is above itself. `on_stack` becomes the first word at or below a node. Linear time."""
    cdef int word, node
    for node in range(state.tree.n + 1):
        state.on_stack[node] = 0
    for word in range(1, state.tree.n + 1):
        node = word
        while node > ROOT and state.on_stack[node] == 0:
            state.on_stack[node] = word
            node = state.tree.head[node]
        if node > ROOT and state.on_stack[node] == word:
            return False
    return True


cdef inline void complete(State* state, const System* system, int* heads) noexcept nogil:
    """Find the faults of the tree in `heads` (of word 1 at [0]), and make it one with a single root where one is asked.

    The first word on the root stays there and the others hang on it, which keeps a projective tree projective. A
    system whose `legal` sees `system.single` leaves nothing to do here. Linear time.
    """
    cdef int word, first = ROOT
    if state.fault == FINE and not is_final(state, system):
        state.fault = NOTHING_LEGAL
    if state.fault == FINE and not is_tree(state):
        state.fault = CIRCULAR
    if not system.single:
        return
    for word in range(1, state.tree.n + 1):
        if heads[word - 1] == ROOT:
            if first == ROOT:
                first = word
            else:
                heads[word - 1] = first
