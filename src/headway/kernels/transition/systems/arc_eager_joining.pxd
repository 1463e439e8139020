"""How arc-eager gets a tree with one root, after it has parsed as it has learned.

Several words may have come to hang on the root or stayed without a head. If there is more than one, all of them are
taken off the root and joined two by two from right to left, LEFT or RIGHT as the classifier prefers; the word that is
left gets the root. After Nivre and Fernández-González (2014), who put words without a head back into the queue.
"""

from headway.kernels.transition.state cimport LEFT, RIGHT, ROOT_END, State, ahead, pop, push, top
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc, drop_children


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
    go_back(state, pop(state))
    state.joining = True


cdef inline void go_back(State* state, int word) noexcept nogil:
    """Let the queue begin with a word again. Nothing but SWAP changes its order."""
    state.front = word - 1


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
            go_back(state, pop(state))
    if state.size == 0 and b0 > ROOT and system.root == ROOT_END:
        push(state, ahead(state, 0))
        state.front = state.end - 1
    elif state.size == 0 or s0 == ROOT:
        state.front = state.end
