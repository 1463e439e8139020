"""What a gold tree asks for, whatever the system: the functions of its oracle, chosen by its kind.

Not part of the systems: parsing never sees it.
"""

from libc.string cimport memset

from headway.kernels.transition.gold cimport Gold, take_heads
from headway.kernels.transition.state cimport ACTIONS, NOTHING_LEGAL, State
from headway.kernels.transition.systems cimport arc_eager_oracle, arc_standard_oracle, outside, swap_oracle
from headway.kernels.transition.systems.dispatch cimport is_final, legal
from headway.kernels.transition.systems.system cimport ARC_EAGER, ARC_STANDARD, ARC_SWAP, OUTSIDE, System
from headway.kernels.trees.tree cimport NOTHING


cdef inline void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil:
    """Make `heads` (of word 1 at [0]) the gold tree. `scratch` is used and left in some configuration."""
    take_heads(gold, heads, n)
    if system.kind == ARC_SWAP:
        swap_oracle.prepare(gold, scratch, system, heads, n)
    elif system.kind == OUTSIDE:
        outside.prepare(gold, scratch, system, heads, n)


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """The next action towards the gold tree, from a configuration that the oracle itself has reached."""
    if system.kind == ARC_EAGER:
        return arc_eager_oracle.static_action(state, system, gold)
    if system.kind == ARC_STANDARD:
        return arc_standard_oracle.static_action(state, system, gold)
    if system.kind == ARC_SWAP:
        return swap_oracle.static_action(state, system, gold)
    return outside.static_action(state, system, gold)


cdef inline void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    """For each action, how many gold arcs can no longer be built after it that could before.

    Illegal actions may get any cost; ask `legal` first. Without a dynamic oracle no action costs anything.
    """
    memset(cost, 0, ACTIONS * sizeof(int))
    if system.kind == ARC_EAGER:
        arc_eager_oracle.costs(state, system, gold, cost)
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
