"""The configuration of a transition parser as a plain struct."""

from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport NOTHING, ROOT, Tree, clear_tree, reserve_tree

cdef enum:
    SHIFT, LEFT, RIGHT, REDUCE, SWAP, ACTIONS

cdef enum:
    ROOT_END, ROOT_START, ROOT_NONE

cdef enum:          # what a system from outside can do wrong
    FINE, NOTHING_LEGAL, IMPOSSIBLE_ARC, OUT_OF_BOUNDS, ENDLESS, CIRCULAR

cdef enum:
    MARGIN = 4      # places beside the stack and the queue, for one transition that goes too far


cdef struct State:
    Tree tree       # the arcs found so far
    int size        # nodes on the stack
    int front       # next of the queue
    int end         # one past the last of the queue
    bint joining    # the tree had several roots and gets one (see systems/arc_eager.pxd)
    int* stack
    int* queue
    int* on_stack
    int fault       # of a system from outside; FINE where there is none
    long long steps     # transitions of a system from outside
    long long swaps     # and those among them that are SWAP


cdef inline int reserve_state(State* state, Memory memory, int longest) except -1:
    """Room for sentences of up to `longest` words."""
    cdef int room = longest + 2
    state.fault = FINE
    state.stack = <int*> memory.take(3 * <size_t> room + 2 * MARGIN, sizeof(int)) + MARGIN
    state.queue, state.on_stack = state.stack + room, state.stack + 2 * room
    return reserve_tree(&state.tree, memory, longest)


cdef inline void begin(State* state, int root, int n) noexcept nogil:
    """The initial configuration for n words, with the root at its place: ROOT_END, ROOT_START, ROOT_NONE."""
    cdef int i
    clear_tree(&state.tree, n)
    state.size = 0
    state.front = 0
    state.end = n
    state.joining = False
    state.fault = FINE
    state.steps = state.swaps = 0
    for i in range(n + 1):
        state.queue[i] = i + 1
        state.on_stack[i] = 0
    if root == ROOT_END:
        state.queue[n] = ROOT
        state.end = n + 1
    elif root == ROOT_START:
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
