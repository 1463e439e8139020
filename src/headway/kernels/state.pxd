"""The configuration of a transition parser and the effects of transitions, as free functions over a plain struct."""

from libc.stdlib cimport calloc, free

from headway.kernels.tree cimport NOTHING, ROOT, Tree, add_arc, clear_tree, release_tree, reserve_tree

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2
    REDUCE = 3
    SWAP = 4
    ACTIONS = 5

cdef enum:
    ARC_EAGER = 0
    ARC_STANDARD = 1
    ARC_SWAP = 2

cdef enum:
    ROOT_END = 0
    ROOT_START = 1
    ROOT_NONE = 2


cdef struct System:
    int kind        # ARC_EAGER, ARC_STANDARD, ARC_SWAP
    int root        # ROOT_END, ROOT_START, ROOT_NONE
    bint single     # exactly one word hangs on the root


cdef struct State:
    Tree tree       # the arcs found so far
    int size        # nodes on the stack
    int front       # next of the queue
    int end         # one past the last of the queue
    bint joining    # the tree had several roots and gets one (see single_root.pxd)
    int* stack
    int* queue
    int* on_stack


cdef inline int reserve(State* state, int longest) noexcept nogil:
    """Room for sentences of up to `longest` words; False where memory is short."""
    cdef int room = longest + 2
    cdef int* block = <int*> calloc(3 * room, sizeof(int))
    state.stack, state.queue, state.on_stack = block, block + room, block + 2 * room
    return reserve_tree(&state.tree, longest) and block != NULL


cdef inline void release(State* state) noexcept nogil:
    release_tree(&state.tree)
    free(state.stack)


cdef inline void begin(State* state, const System* system, int n) noexcept nogil:
    """The initial configuration for n words."""
    cdef int i
    clear_tree(&state.tree, n)
    state.size = 0
    state.front = 0
    state.end = n
    state.joining = False
    for i in range(n + 1):
        state.queue[i] = i + 1
        state.on_stack[i] = 0
    if system.root == ROOT_END:
        state.queue[n] = ROOT
        state.end = n + 1
    elif system.root == ROOT_START:
        state.stack[0] = ROOT
        state.on_stack[ROOT] = 1
        state.size = 1


cdef inline int top(const State* state, int depth) noexcept nogil:
    return state.stack[state.size - 1 - depth] if depth < state.size else NOTHING


cdef inline int ahead(const State* state, int distance) noexcept nogil:
    return state.queue[state.front + distance] if state.front + distance < state.end else NOTHING


cdef inline void push(State* state, int node) noexcept nogil:
    state.stack[state.size] = node
    state.size += 1
    state.on_stack[node] = 1


cdef inline int pop(State* state) noexcept nogil:
    cdef int node
    state.size -= 1
    node = state.stack[state.size]
    state.on_stack[node] = 0
    return node


cdef inline void apply(State* state, const System* system, int action, int label) noexcept nogil:
    """Perform a legal transition."""
    cdef int node
    if action == SHIFT:
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


cdef inline bint is_final(const State* state, const System* system) noexcept nogil:
    if system.kind == ARC_EAGER:
        if system.root == ROOT_END:
            return state.size == 0 and state.front == state.end - 1
        return state.front == state.end
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
    s1 = top(state, 1)
    can_shift = b0 != NOTHING
    can_left = s1 > ROOT
    can_right = s1 != NOTHING and not (system.single and s1 == ROOT and b0 != NOTHING)
    if system.kind == ARC_SWAP:
        can_swap = ROOT < s1 < s0
    return can_shift << SHIFT | can_left << LEFT | can_right << RIGHT | can_swap << SWAP


cdef inline void write_tree(const State* state, int root_label, int* heads, int* labels) noexcept nogil:
    """Heads and labels of words 1 to n at [0] and on; words without a head hang on the root with `root_label`."""
    cdef int word
    for word in range(1, state.tree.n + 1):
        if state.tree.head[word] != NOTHING:
            heads[word - 1], labels[word - 1] = state.tree.head[word], state.tree.label[word]
        else:
            heads[word - 1], labels[word - 1] = ROOT, root_label
