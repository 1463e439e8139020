"""Which transitions a gold tree asks for. Not part of the systems: parsing never sees it."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.outside cimport outside_costs, outside_prepare, outside_static
from headway.kernels.transition.state cimport (
    ARC_EAGER, ARC_STANDARD, ARC_SWAP, LEFT, NOTHING_LEGAL, OUTSIDE, REDUCE, RIGHT, ROOT_START, SHIFT, SWAP, State,
    System, ahead, begin, top,
)
from headway.kernels.transition.system cimport apply, is_final, legal
from headway.kernels.trees.tree cimport NOTHING, ROOT, add_arc


cdef inline void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil:
    """Make `heads` (of word 1 at [0]) the gold tree. `scratch` is used and left in some configuration."""
    cdef int word, node
    cdef System standard
    gold.head[ROOT] = NOTHING
    gold.children[ROOT] = gold.first[ROOT] = 0
    for word in range(1, n + 1):
        gold.head[word] = heads[word - 1]
        gold.children[word] = gold.first[word] = gold.order[word] = 0
    for word in range(n, 0, -1):
        gold.children[gold.head[word]] += 1
        gold.first[gold.head[word]] = word
    if system.kind == OUTSIDE:
        outside_prepare(gold, scratch, system, heads, n)
    if system.kind != ARC_SWAP:
        return
    standard.kind, standard.root, standard.single = ARC_STANDARD, ROOT_START, False
    begin(scratch, &standard, n)
    while not is_final(scratch, &standard):
        node = _static_standard(scratch, &standard, gold)
        if node == SHIFT and ahead(scratch, 0) == NOTHING:
            break
        apply(scratch, &standard, node, 0)
    _components(gold, scratch, n)
    _projective_order(gold, scratch, n)


cdef inline void _components(Gold* gold, const State* built, int n) noexcept nogil:
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


cdef inline void _projective_order(Gold* gold, State* scratch, int n) noexcept nogil:
    """Number the words as a walk through the tree meets them: children before, the word, children after."""
    cdef int word, node, place = 0
    cdef System standard
    standard.kind, standard.root, standard.single = ARC_STANDARD, ROOT_START, False
    begin(scratch, &standard, n)
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


cdef inline int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """The next transition towards the gold tree, from a configuration that the oracle itself has reached."""
    if system.kind == ARC_EAGER:
        return _static_eager(state, system, gold)
    if system.kind == OUTSIDE:
        return outside_static(state, system, gold)
    return _static_standard(state, system, gold)


cdef inline int guided(State* state, const System* system, const Gold* gold, int* allowed) noexcept nogil:
    """The next transition towards the gold tree, and all that are `allowed` beside it, as bits.

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


cdef inline int _static_eager(const State* state, const System* system, const Gold* gold) noexcept nogil:
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


cdef inline int _static_standard(const State* state, const System* system, const Gold* gold) noexcept nogil:
    """Nivre (2008); with SWAP, Nivre (2009) and the lazy form of Nivre, Kuhlmann and Hall (2009)."""
    cdef int s0 = top(state, 0), s1 = top(state, 1), b0 = ahead(state, 0)
    if s1 > ROOT and gold.head[s1] == s0 and state.tree.left[s1] + state.tree.right[s1] == gold.children[s1]:
        return LEFT
    if s1 != NOTHING and gold.head[s0] == s1 and state.tree.left[s0] + state.tree.right[s0] == gold.children[s0]:
        return RIGHT
    if system.kind == ARC_SWAP and s1 > ROOT and gold.order[s0] < gold.order[s1]:
        if b0 == NOTHING or gold.component[s0] != gold.component[b0]:
            return SWAP
    return SHIFT


cdef inline void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    """Arc-eager: for each action, how many gold arcs can no longer be built after it that could before.

    Goldberg and Nivre (2012, 2013); words left without a head hang on the root. Exact for systems in which the root may
    take several words. Illegal actions get a cost too; ask `legal` first. Linear time.
    """
    cdef int s0 = top(state, 0), b0 = ahead(state, 0), word, head
    cdef int ahead_of_s0 = 0, waiting_for_b0 = 0
    cdef bint head_below = False, head_elsewhere = False
    if system.kind == OUTSIDE:
        outside_costs(state, system, gold, cost)
        return
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
