"""What a gold tree asks of arc-eager."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport LEFT, REDUCE, RIGHT, ROOT_START, SHIFT, State, ahead, top
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """Nivre (2008): an arc as soon as it can be built, REDUCE only where the next word needs what is below."""
    cdef int s0 = top(state, 0), b0 = ahead(state, 0), below
    if s0 > ROOT and state.tree.head[s0] == NOTHING and gold.head[s0] == b0:
        return LEFT
    if b0 == ROOT:
        return REDUCE
    if s0 != NOTHING and gold.head[b0] == s0 and (s0 != ROOT or system.root == ROOT_START):
        return RIGHT
    if s0 > ROOT and state.tree.head[s0] != NOTHING:
        below = gold.head[b0]
        if below < s0 and (below != ROOT or system.root == ROOT_START):
            return REDUCE
        if ROOT < gold.first[b0] < s0:
            return REDUCE
    return SHIFT


cdef inline void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    """Goldberg and Nivre (2012, 2013); words left without a head hang on the root.

    SHIFT loses a head on the stack and children there that wait for B0; RIGHT those children and any other head of B0.
    REDUCE and LEFT lose the children of S0 in the queue, LEFT any other head of S0 as well. Exact where the root may
    take several words. Linear time.
    """
    cdef int s0 = top(state, 0), b0 = ahead(state, 0), word, head
    cdef int ahead_of_s0 = 0, waiting_for_b0 = 0
    cdef bint head_below = False, head_elsewhere = False
    if s0 > ROOT and b0 > ROOT:
        for word in range(b0, state.tree.n + 1):
            ahead_of_s0 += gold.head[word] == s0
    if b0 > ROOT:
        for word in range(1, b0):
            waiting_for_b0 += gold.head[word] == b0 and state.tree.head[word] == NOTHING
        head = gold.head[b0]
        head_below = ROOT < head < b0 and state.on_stack[head]
        head_elsewhere = head != s0 and (head == ROOT or head > b0 or head_below)
    cost[SHIFT] = head_below + waiting_for_b0
    cost[RIGHT] = head_elsewhere + waiting_for_b0
    cost[REDUCE] = ahead_of_s0
    cost[LEFT] = ahead_of_s0
    if s0 > ROOT:
        head = gold.head[s0]
        cost[LEFT] += b0 > ROOT and head != b0 and (head == ROOT or head > b0)
