"""Systems that make a mistake each, around one that only shifts."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport LEFT, REDUCE, RIGHT, SHIFT, State, ahead, pop, push
from headway.kernels.transition.systems.system cimport System, SystemFunctions, TransitionSystem, compiled
from headway.kernels.trees.tree cimport NOTHING

cdef bint at_the_end(const State* state, const System* system) noexcept nogil:
    return state.front == state.end

cdef bint shifted(const State* state, const System* system) noexcept nogil:
    return state.size == state.tree.n

cdef bint never(const State* state, const System* system) noexcept nogil:
    return False

cdef bint with_two_heads(const State* state, const System* system) noexcept nogil:
    return state.tree.n < 2 or state.tree.head[2] != NOTHING

cdef int only_shift(const State* state, const System* system) noexcept nogil:
    return 1 << SHIFT

cdef int nothing(const State* state, const System* system) noexcept nogil:
    return 0

cdef int only_right(const State* state, const System* system) noexcept nogil:
    return 1 << RIGHT

cdef int left_then_right(const State* state, const System* system) noexcept nogil:
    return 1 << RIGHT if state.tree.head[1] != NOTHING else 1 << LEFT

cdef int reduced_to_nothing(const State* state, const System* system) noexcept nogil:
    return 0 if state.end == 0 else 1 << SHIFT | 1 << REDUCE

cdef int first_or_second(const State* state, const System* system, int action) noexcept nogil:
    return 1 if action == LEFT else 2

cdef int second_or_first(const State* state, const System* system, int action) noexcept nogil:
    return 2 if action == LEFT else 1

cdef int far_away(const State* state, const System* system, int action) noexcept nogil:
    return 1000000000

cdef void shift(State* state, const System* system, int action) noexcept nogil:
    if action == SHIFT:
        push(state, ahead(state, 0))
        state.front += 1
    elif action == REDUCE:
        state.front = state.end = 0

cdef void stay(State* state, const System* system, int action) noexcept nogil:
    pass

cdef void pop_anyway(State* state, const System* system, int action) noexcept nogil:
    pop(state)

cdef void shift_anyway(State* state, const System* system, int action) noexcept nogil:
    push(state, state.queue[state.front])
    state.front += 1

cdef void go_back(State* state, const System* system, int action) noexcept nogil:
    state.front -= 1

cdef int first_legal(const State* state, const System* system, const Gold* gold) noexcept nogil:
    cdef int action = 0, bits = system.outside.legal(state, system)
    while not bits >> action & 1:
        action += 1
    return action

cdef int no_action(const State* state, const System* system, const Gold* gold) noexcept nogil:
    return -7

cdef void shift_is_wrong(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    cost[SHIFT] = 1

cdef SystemFunctions fine():
    cdef SystemFunctions functions
    functions.is_final, functions.legal, functions.apply = at_the_end, only_shift, shift
    functions.child_of, functions.head_of, functions.static_action = first_or_second, second_or_first, first_legal
    functions.prepare, functions.costs = NULL, NULL
    return functions

cdef made(SystemFunctions functions, tuple actions=("SHIFT",)):
    return compiled(&functions, TransitionSystem(about="", roots=("none",), actions=actions))

SYSTEMS = {}
cdef SystemFunctions one = fine()
SYSTEMS["shifting"] = made(one)
one.legal = nothing
SYSTEMS["nothing"] = made(one)
one = fine()
one.is_final, one.apply = never, stay
SYSTEMS["endless"] = made(one)
one.apply = pop_anyway
SYSTEMS["popping"] = made(one)
one.apply = shift_anyway
SYSTEMS["greedy"] = made(one)
one.apply = go_back
SYSTEMS["backwards"] = made(one)
one = fine()
one.is_final, one.legal, one.apply = never, only_right, stay
SYSTEMS["two-heads"] = made(one, ("RIGHT-ARC",))
one.child_of = far_away
SYSTEMS["no-child"] = made(one, ("RIGHT-ARC",))
one.child_of, one.head_of = first_or_second, far_away
SYSTEMS["no-head"] = made(one, ("RIGHT-ARC",))
one.head_of = first_or_second
SYSTEMS["itself"] = made(one, ("RIGHT-ARC",))
one = fine()
one.is_final, one.legal, one.apply = with_two_heads, left_then_right, stay
SYSTEMS["circle"] = made(one, ("LEFT-ARC", "RIGHT-ARC"))
one = fine()
one.static_action = no_action
SYSTEMS["aimless"] = made(one)
one = fine()
one.is_final, one.legal, one.costs = shifted, reduced_to_nothing, shift_is_wrong
SYSTEMS["pit"] = made(one, ("SHIFT", "REDUCE"))
one = fine()
one.head_of = NULL
SYSTEMS["headless"] = made(one)
