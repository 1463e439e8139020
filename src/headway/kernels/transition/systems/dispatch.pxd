"""What transitions do, whatever the system: the functions of its file, chosen by its kind.

The choice is a comparison that compilers inline, which costs less than a pointer to a function.
"""

from headway.kernels.transition.state cimport LEFT, RIGHT, State
from headway.kernels.transition.systems cimport arc_eager, arc_standard, outside, swap
from headway.kernels.transition.systems.system cimport ARC_EAGER, ARC_STANDARD, ARC_SWAP, OUTSIDE, System
from headway.kernels.trees.tree cimport NOTHING, add_arc


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    """Whether the tree is complete."""
    if system.kind == ARC_EAGER:
        return arc_eager.is_final(state, system)
    if system.kind == OUTSIDE:
        return outside.is_final(state, system)
    return arc_standard.is_final(state, system)


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    """The legal actions as bits. In every configuration that is not final there is one, and all lead to a tree."""
    if system.kind == ARC_EAGER:
        return arc_eager.legal(state, system)
    if system.kind == ARC_STANDARD:
        return arc_standard.legal(state, system)
    if system.kind == ARC_SWAP:
        return swap.legal(state, system)
    return outside.legal(state, system)


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    """The word that an action would give a head, or NOTHING."""
    if action != LEFT and action != RIGHT:
        return NOTHING
    if system.kind == ARC_EAGER:
        return arc_eager.child_of(state, system, action)
    if system.kind == OUTSIDE:
        return outside.child_of(state, system, action)
    return arc_standard.child_of(state, system, action)


cdef inline int head_of(const State* state, const System* system, int action) noexcept nogil:
    """The head that LEFT or RIGHT would give."""
    if system.kind == ARC_EAGER:
        return arc_eager.head_of(state, system, action)
    if system.kind == OUTSIDE:
        return outside.head_of(state, system, action)
    return arc_standard.head_of(state, system, action)


cdef inline void apply(State* state, const System* system, int action, int label) noexcept nogil:
    """Perform a legal transition: make its arc, then change the stack and the queue."""
    if system.kind == OUTSIDE:
        outside.apply(state, system, action, label)
        return
    if action == LEFT or action == RIGHT:
        add_arc(&state.tree, head_of(state, system, action), child_of(state, system, action), label)
    if system.kind == ARC_EAGER:
        arc_eager.apply(state, system, action)
    elif system.kind == ARC_STANDARD:
        arc_standard.apply(state, system, action)
    elif system.kind == ARC_SWAP:
        swap.apply(state, system, action)
