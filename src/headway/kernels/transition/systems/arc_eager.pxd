"""Arc-eager: an arc as soon as both words are seen, between the top of the stack and the front of the queue.

Nivre (2003, 2008). Takes no notice of `single`; see arc_eager_joining.pxd.
"""

from headway.kernels.transition.state cimport LEFT, REDUCE, RIGHT, ROOT_END, SHIFT, State, ahead, pop, push, top
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    if system.root == ROOT_END:
        return state.size == 0 and state.front == state.end - 1
    return state.front == state.end


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    cdef int s0 = top(state, 0), b0 = ahead(state, 0)
    cdef bint can_shift, can_left, can_right, can_reduce
    can_shift = b0 > ROOT
    can_left = s0 > ROOT and state.tree.head[s0] == NOTHING and b0 != NOTHING
    can_right = s0 != NOTHING and b0 > ROOT
    can_reduce = s0 > ROOT and state.tree.head[s0] != NOTHING
    return can_shift << SHIFT | can_left << LEFT | can_right << RIGHT | can_reduce << REDUCE


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    return state.stack[state.size - 1] if action == LEFT else state.queue[state.front]


cdef inline int head_of(const State* state, const System* system, int action) noexcept nogil:
    return state.queue[state.front] if action == LEFT else state.stack[state.size - 1]


cdef inline void apply(State* state, const System* system, int action) noexcept nogil:
    if action == SHIFT or action == RIGHT:
        push(state, state.queue[state.front])
        state.front += 1
    else:
        pop(state)
