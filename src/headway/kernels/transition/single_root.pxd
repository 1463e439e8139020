"""What a parser does to get a tree with one root. Training never sees it.

Arc-eager parses as it has learned: several words may come to hang on the root or stay without a head. If there is more
than one, all of them are taken off the root and joined two by two from right to left, LEFT or RIGHT as the classifier
prefers; the word that is left gets the root. After Nivre and Fernández-González (2014), who put words without a head
back into the queue. The other systems give the root its word last, in training too, so that `legal` is enough. What a
system from outside means by its arcs is not known, so that nothing is joined there; see `outside_complete`.
"""

from headway.kernels.transition.outside cimport outside_complete
from headway.kernels.transition.state cimport ARC_EAGER, LEFT, OUTSIDE, RIGHT, ROOT_END, State, System, ahead, pop, push, top
from headway.kernels.transition.system cimport apply, is_final, legal
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc, drop_children


cdef inline int choices(const State* state, const System* system) noexcept nogil:
    """The actions to choose from as bits; 0 where the tree is complete."""
    if state.joining:
        return (top(state, 0) > ROOT) << LEFT | (ahead(state, 0) > ROOT) << RIGHT
    return 0 if is_final(state, system) else legal(state, system)


cdef inline void perform(State* state, const System* system, int action, int label) noexcept nogil:
    """Perform one of the `choices`."""
    if state.joining:
        join(state, system, action, label)
        return
    apply(state, system, action, label)
    if system.single and system.kind == ARC_EAGER and is_final(state, system):
        reopen(state, system)


cdef inline void reopen(State* state, const System* system) noexcept nogil:
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


cdef inline void write_tree(
    State* state, const System* system, int root_label, int* heads, int* labels
) noexcept nogil:
    """Heads and labels of words 1 to n at [0] and on; words without a head hang on the root with `root_label`."""
    cdef int word
    for word in range(1, state.tree.n + 1):
        if state.tree.head[word] != NOTHING:
            heads[word - 1], labels[word - 1] = state.tree.head[word], state.tree.label[word]
        else:
            heads[word - 1], labels[word - 1] = ROOT, root_label
    if system.kind == OUTSIDE:
        outside_complete(state, system, heads)
