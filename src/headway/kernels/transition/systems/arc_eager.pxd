"""Arc-eager: an arc as soon as both words are seen, between the top of the stack and the front of the queue.

Nivre (2003, 2008). Its transitions take no notice of `single`; how it gets a tree with one root afterwards stands at
the end.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport (
    LEFT, REDUCE, RIGHT, ROOT_END, ROOT_START, SHIFT, State, ahead, pop, push, top,
)
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc, drop_children


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


# One root: where several words hang on the root or have no head in the end, all are taken off the root and joined two
# by two from right to left, LEFT or RIGHT as the classifier prefers; the word that is left gets the root. After Nivre
# and Fernández-González (2014), who put words without a head back into the queue.


cdef inline void reopen(State* state) noexcept nogil:
    """Where several words are on the root or without a head, put them on the stack, the last at the front of the queue.

    The queue begins with that word and goes on as the sentence does, as when the word was read for the first time.
    Linear time.
    """
    cdef int word, roots = 0
    for word in range(1, state.tree.n + 1):
        roots += state.tree.head[word] <= ROOT
    if roots < 2:
        return
    drop_children(&state.tree, ROOT)
    while top(state, 0) > ROOT:
        pop(state)
    for word in range(1, state.tree.n + 1):
        if state.tree.head[word] == NOTHING:
            push(state, word)
    state.front = pop(state) - 1    # nothing but SWAP changes the order of the queue
    state.joining = True


cdef inline int joins(const State* state) noexcept nogil:
    """The actions to choose from as bits; 0 where the tree is complete."""
    return (top(state, 0) > ROOT) << LEFT | (ahead(state, 0) > ROOT) << RIGHT


cdef inline void join(State* state, const System* system, int action, int label) noexcept nogil:
    """Make an arc between the top of the stack and the front of the queue; the word without a head goes to the front.

    The last word without a head meets the root, where there is one, as everywhere in the system. Constant time.
    """
    cdef int s0 = top(state, 0), b0 = ahead(state, 0)
    if action == LEFT:
        pop(state)
        add_arc(&state.tree, b0, s0, label)
    else:
        add_arc(&state.tree, s0, b0, label)
        if s0 > ROOT:
            state.front = pop(state) - 1
    if state.size == 0 and b0 > ROOT and system.root == ROOT_END:
        push(state, ahead(state, 0))
        state.front = state.end - 1
    elif state.size == 0 or s0 == ROOT:
        state.front = state.end
