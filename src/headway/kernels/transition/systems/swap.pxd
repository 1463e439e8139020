"""Swap: arc-standard that can put the second word of the stack back into the queue, and so build every tree.

Nivre (2009). When a tree is complete, and which words an arc joins, is as in arc-standard. Its oracle wants to know the
projective order of the words of a gold tree, and the components that need not be taken apart.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport ROOT_START, SHIFT, SWAP, State, ahead, begin, pop, push, top
from headway.kernels.transition.systems cimport arc_standard
from headway.kernels.transition.systems.system cimport System
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc


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


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """Nivre (2009), in the lazy form of Nivre, Kuhlmann and Hall (2009): no SWAP inside a component."""
    cdef int s0 = top(state, 0), s1 = top(state, 1), b0 = ahead(state, 0)
    cdef int action = arc_standard.static_action(state, system, gold)
    if action == SHIFT and s1 > ROOT and gold.order[s0] < gold.order[s1]:
        if b0 == NOTHING or gold.component[s0] != gold.component[b0]:
            return SWAP
    return action


cdef inline void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil:
    """Components are what arc-standard can build of the tree."""
    cdef int action
    begin(scratch, ROOT_START, n)
    while not arc_standard.is_final(scratch, system):
        action = arc_standard.static_action(scratch, system, gold)
        if action != SHIFT:
            add_arc(
                &scratch.tree, arc_standard.head_of(scratch, system, action),
                arc_standard.child_of(scratch, system, action), 0,
            )
        elif ahead(scratch, 0) == NOTHING:
            break
        arc_standard.apply(scratch, system, action)
    number_components(gold, scratch, n)
    number_in_order(gold, scratch, n)


cdef inline void number_components(Gold* gold, const State* built, int n) noexcept nogil:
    """A word's component is the word at the top of what has been `built`; each arc is walked over twice."""
    cdef int word, node, top_word
    for word in range(1, n + 1):
        gold.component[word] = NOTHING
    for word in range(1, n + 1):
        node = top_word = word
        while node > ROOT and gold.component[node] == NOTHING:
            top_word = node
            node = built.tree.head[node]
        if node > ROOT:
            top_word = gold.component[node]
        node = word
        while node > ROOT and gold.component[node] == NOTHING:
            gold.component[node] = top_word
            node = built.tree.head[node]


cdef inline void number_in_order(Gold* gold, State* scratch, int n) noexcept nogil:
    """Number the words as a walk through the tree meets them: children before, the word, children after."""
    cdef int word, node, place = 0
    begin(scratch, ROOT_START, n)
    for word in range(1, n + 1):
        add_arc(&scratch.tree, gold.head[word], word, 0)
    # `label` holds the next child to visit.
    for node in range(n + 1):
        scratch.tree.label[node] = scratch.tree.first[node]
    node = ROOT
    while node != NOTHING:
        word = scratch.tree.label[node]
        if node != ROOT and gold.order[node] == 0 and (word == NOTHING or word > node):
            place += 1
            gold.order[node] = place
        if word == NOTHING:
            node = gold.head[node]
        else:
            scratch.tree.label[node] = scratch.tree.after[word]
            node = word
