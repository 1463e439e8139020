"""Swap: arc-standard that can put the second word of the stack back into the queue, and so build every tree.

Nivre (2009). When a tree is complete, and which words an arc joins, is as in arc-standard.
"""

from headway.kernels.transition.state cimport SWAP, State, pop, push, top
from headway.kernels.transition.systems cimport arc_standard
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport ROOT


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    """Two words change places once."""
    cdef bint can_swap = ROOT < top(state, 1) < top(state, 0)
    return arc_standard.legal(state, system) | can_swap << SWAP


cdef inline void apply(State* state, const System* system, int action) noexcept nogil:
    cdef int s0
    if action == SWAP:
        s0 = pop(state)
        state.front -= 1
        state.queue[state.front] = pop(state)
        push(state, s0)
    else:
        arc_standard.apply(state, system, action)
