"""What a gold tree asks of arc-standard."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport LEFT, RIGHT, SHIFT, State, top
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """Nivre (2008): an arc as soon as its child has all its own children."""
    cdef int s0 = top(state, 0), s1 = top(state, 1)
    if s1 > ROOT and gold.head[s1] == s0 and state.tree.left[s1] + state.tree.right[s1] == gold.children[s1]:
        return LEFT
    if s1 != NOTHING and gold.head[s0] == s1 and state.tree.left[s0] + state.tree.right[s0] == gold.children[s0]:
        return RIGHT
    return SHIFT
