"""What a parser may choose from and does, so that its tree has one root where one is asked. Training never sees it.

A system whose `legal` sees `system.single` needs nothing more: those that give the root its word last, in training too.
Arc-eager joins words in the end. What a system from outside means by its arcs is not known, so that nothing is joined
there; see `complete` in outside.pyx.
"""

from headway.kernels.transition.state cimport State
from headway.kernels.transition.systems cimport outside
from headway.kernels.transition.systems.arc_eager cimport join, joins, reopen
from headway.kernels.transition.systems.dispatch cimport apply, is_final, legal
from headway.kernels.transition.systems.system cimport ARC_EAGER, OUTSIDE, System
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef inline int choices(const State* state, const System* system) noexcept nogil:
    """The actions to choose from as bits; 0 where the tree is complete."""
    if state.joining:
        return joins(state)
    return 0 if is_final(state, system) else legal(state, system)


cdef inline void perform(State* state, const System* system, int action, int label) noexcept nogil:
    """Perform one of the `choices`."""
    if state.joining:
        join(state, system, action, label)
        return
    apply(state, system, action, label)
    if system.single and system.kind == ARC_EAGER and is_final(state, system):
        reopen(state)


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
        outside.complete(state, system, heads)
