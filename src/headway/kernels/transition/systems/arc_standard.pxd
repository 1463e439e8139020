"""Arc-standard: a word is attached when it has all its children; arcs are between the two words on top of the stack.

Nivre (2004, 2008). The root gets its words last.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport LEFT, RIGHT, SHIFT, State, ahead, pop, push, top
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    return state.size == 1 and state.front == state.end


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    cdef int s1 = top(state, 1), b0 = ahead(state, 0)
    cdef bint can_shift, can_left, can_right
    can_shift = b0 != NOTHING
    can_left = s1 > ROOT
    can_right = s1 != NOTHING and not (system.single and s1 == ROOT and b0 != NOTHING)
    return can_shift << SHIFT | can_left << LEFT | can_right << RIGHT


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    return state.stack[state.size - (2 if action == LEFT else 1)]


cdef inline int head_of(const State* state, const System* system, int action) noexcept nogil:
    return state.stack[state.size - (1 if action == LEFT else 2)]


cdef inline void apply(State* state, const System* system, int action) noexcept nogil:
    cdef int s0
    if action == SHIFT:
        push(state, state.queue[state.front])
        state.front += 1
    elif action == LEFT:
        s0 = pop(state)
        pop(state)
        push(state, s0)
    else:
        pop(state)


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """Nivre (2008): an arc as soon as its child has all its own children."""
    cdef int s0 = top(state, 0), s1 = top(state, 1)
    if s1 > ROOT and gold.head[s1] == s0 and state.tree.left[s1] + state.tree.right[s1] == gold.children[s1]:
        return LEFT
    if s1 != NOTHING and gold.head[s0] == s1 and state.tree.left[s0] + state.tree.right[s0] == gold.children[s0]:
        return RIGHT
    return SHIFT
