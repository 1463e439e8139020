"""What transitions do and what a gold tree asks for, whatever the system: the functions of its file, by its kind.

The choice is a comparison that compilers inline, which costs less than a pointer to a function. Parsing asks no oracle.
"""

from libc.string cimport memset

from headway.kernels.transition.gold cimport Gold, take_heads
from headway.kernels.transition.state cimport ACTIONS, LEFT, NOTHING_LEGAL, RIGHT, State
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


cdef inline void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil:
    """Make `heads` (of word 1 at [0]) the gold tree. `scratch` is used and left in some configuration."""
    take_heads(gold, heads, n)
    if system.kind == ARC_SWAP:
        swap.prepare(gold, scratch, system, heads, n)
    elif system.kind == OUTSIDE:
        outside.prepare(gold, scratch, system, heads, n)


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """The next action towards the gold tree, from a configuration that the oracle itself has reached."""
    if system.kind == ARC_EAGER:
        return arc_eager.static_action(state, system, gold)
    if system.kind == ARC_STANDARD:
        return arc_standard.static_action(state, system, gold)
    if system.kind == ARC_SWAP:
        return swap.static_action(state, system, gold)
    return outside.static_action(state, system, gold)


cdef inline void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    """For each action, how many gold arcs can no longer be built after it that could before.

    Illegal actions may get any cost; ask `legal` first. Without a dynamic oracle no action costs anything.
    """
    memset(cost, 0, ACTIONS * sizeof(int))
    if system.kind == ARC_EAGER:
        arc_eager.costs(state, system, gold, cost)
    elif system.kind == OUTSIDE:
        outside.costs(state, system, gold, cost)


cdef inline int guided(State* state, const System* system, const Gold* gold, int* allowed) noexcept nogil:
    """The next action towards the gold tree, and all that are `allowed` beside it, as bits.

    NOTHING at the end: the tree is complete, or it is one that the system cannot build.
    """
    cdef int action
    if is_final(state, system):
        return NOTHING
    allowed[0] = legal(state, system)
    if not allowed[0]:
        state.fault = NOTHING_LEGAL
        return NOTHING
    action = static_action(state, system, gold)
    return action if allowed[0] >> action & 1 else NOTHING
