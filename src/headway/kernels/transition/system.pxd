"""Transition systems as free functions over a configuration: ours, and the way to those from outside."""

from headway.kernels.transition.outside cimport (
    outside_apply, outside_child, outside_head, outside_is_final, outside_legal,
)
from headway.kernels.transition.state cimport (
    ARC_EAGER, ARC_SWAP, LEFT, OUTSIDE, REDUCE, RIGHT, ROOT_END, SHIFT, SWAP, State, System, SystemFunctions, ahead,
    pop, push, top,
)
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc

cdef enum:
    LAYOUT = 1      # counted up when a change to the structs of state.pxd, gold.pxd or tree.pxd moves their members


cdef class SystemKernel:
    cdef int kind
    cdef SystemFunctions functions
    cdef int layout


cdef class ChosenSystem:
    cdef System system
    cdef SystemKernel kernel
    cdef str name

    cdef int check(self, const State* state) except -1


cdef inline SystemKernel system_kernel(const SystemFunctions* functions):
    """The functions of a system as an object that Python can carry, with the layout that they were compiled for."""
    cdef SystemKernel kernel = SystemKernel.__new__(SystemKernel)
    kernel.kind, kernel.functions, kernel.layout = OUTSIDE, functions[0], LAYOUT
    return kernel


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    if system.kind == ARC_EAGER:
        if system.root == ROOT_END:
            return state.size == 0 and state.front == state.end - 1
        return state.front == state.end
    if system.kind == OUTSIDE:
        return outside_is_final(state, system)
    return state.size == 1 and state.front == state.end


cdef inline int legal(const State* state, const System* system) noexcept nogil:
    """The legal actions as bits. In every configuration that is not final there is one, and all lead to a tree.

    Arc-eager takes no notice of `single`; see single_root.pxd.
    """
    cdef int s0 = top(state, 0), b0 = ahead(state, 0), s1
    cdef bint can_shift, can_left, can_right, can_reduce, can_swap = False
    if system.kind == ARC_EAGER:
        can_shift = b0 > ROOT
        can_left = s0 > ROOT and state.tree.head[s0] == NOTHING and b0 != NOTHING
        can_right = s0 != NOTHING and b0 > ROOT
        can_reduce = s0 > ROOT and state.tree.head[s0] != NOTHING
        return can_shift << SHIFT | can_left << LEFT | can_right << RIGHT | can_reduce << REDUCE
    if system.kind == OUTSIDE:
        return outside_legal(state, system)
    s1 = top(state, 1)
    can_shift = b0 != NOTHING
    can_left = s1 > ROOT
    can_right = s1 != NOTHING and not (system.single and s1 == ROOT and b0 != NOTHING)
    if system.kind == ARC_SWAP:
        can_swap = ROOT < s1 < s0
    return can_shift << SHIFT | can_left << LEFT | can_right << RIGHT | can_swap << SWAP


cdef inline int child_of(const State* state, const System* system, int action) noexcept nogil:
    """The word that an action would give a head, or NOTHING."""
    if system.kind == ARC_EAGER:
        if action == LEFT:
            return state.stack[state.size - 1]
        return state.queue[state.front] if action == RIGHT else NOTHING
    if system.kind == OUTSIDE:
        return outside_child(state, system, action)
    if action == LEFT:
        return state.stack[state.size - 2]
    return state.stack[state.size - 1] if action == RIGHT else NOTHING


cdef inline int head_of(const State* state, const System* system, int action) noexcept nogil:
    """The head that an arc action would give."""
    if system.kind == ARC_EAGER:
        return state.queue[state.front] if action == LEFT else state.stack[state.size - 1]
    if system.kind == OUTSIDE:
        return outside_head(state, system, action)
    return state.stack[state.size - (1 if action == LEFT else 2)]


cdef inline void apply(State* state, const System* system, int action, int label) noexcept nogil:
    """Perform a legal transition."""
    cdef int node
    if system.kind == OUTSIDE:
        outside_apply(state, system, action, label)
    elif action == SHIFT:
        push(state, state.queue[state.front])
        state.front += 1
    elif action == REDUCE:
        pop(state)
    elif action == SWAP:
        node = pop(state)
        state.front -= 1
        state.queue[state.front] = pop(state)
        push(state, node)
    elif system.kind == ARC_EAGER:
        if action == LEFT:
            node = pop(state)
            add_arc(&state.tree, state.queue[state.front], node, label)
        else:
            node = state.queue[state.front]
            state.front += 1
            add_arc(&state.tree, state.stack[state.size - 1], node, label)
            push(state, node)
    else:
        node = pop(state)
        if action == LEFT:
            add_arc(&state.tree, node, pop(state), label)
            push(state, node)
        else:
            add_arc(&state.tree, state.stack[state.size - 1], node, label)
