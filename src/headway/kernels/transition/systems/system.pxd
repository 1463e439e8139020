"""What a transition system consists of: functions over a configuration, and a description for Python."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport State

cdef enum:
    LAYOUT = 1      # counted up when a change to System, State, Gold or Tree moves their members

cdef enum:          # kinds of systems: see dispatch.pxd
    UNCOMPILED
    OUTSIDE         # compiled by somebody else
    ARC_EAGER, ARC_STANDARD, ARC_SWAP


cdef struct SystemFunctions


cdef struct System:
    int kind
    int root        # ROOT_END, ROOT_START, ROOT_NONE
    bint single     # exactly one word hangs on the root
    int actions     # those that may be chosen, as bits; asked for systems from outside only
    const SystemFunctions* outside      # NULL for ours


cdef struct SystemFunctions:
    # Whether the tree is complete.
    bint (*is_final)(const State* state, const System* system) noexcept nogil
    # The legal actions as bits, at least one where the configuration is not final. Sees `system.single`.
    int (*legal)(const State* state, const System* system) noexcept nogil
    # The ends of the arc that a legal LEFT or RIGHT makes.
    int (*child_of)(const State* state, const System* system, int action) noexcept nogil
    int (*head_of)(const State* state, const System* system, int action) noexcept nogil
    # What a legal action does to the stack and the queue. Its arc is in the tree already.
    void (*apply)(State* state, const System* system, int action) noexcept nogil
    # The next action towards the gold tree; one that is not legal, as -1, where the system cannot build it.
    int (*static_action)(const State* state, const System* system, const Gold* gold) noexcept nogil
    # May be NULL: fill `order` and `component` of a gold tree; the rest is there. `scratch` is free to use.
    void (*prepare)(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil
    # May be NULL: for each legal action, how many gold arcs can no longer be built after it that could before. All
    # are 0 before.
    void (*costs)(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil


cdef class TransitionSystem:
    cdef readonly str about
    cdef readonly tuple roots
    cdef readonly bint projective
    cdef readonly bint explores
    cdef readonly str features
    cdef readonly tuple actions
    cdef int kind
    cdef SystemFunctions functions
    cdef int layout


cdef class SystemKernel:
    cdef System system
    cdef TransitionSystem owner     # of the functions
    cdef str name

    cdef int check(self, const State* state) except -1


cdef inline TransitionSystem compiled(const SystemFunctions* functions, TransitionSystem system):
    """A system from outside: a description with its functions, and the layout that they were compiled for."""
    system.kind, system.functions, system.layout = OUTSIDE, functions[0], LAYOUT
    system.explores = functions.costs != NULL
    return system
