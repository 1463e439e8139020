"""Our own systems, as if they came from outside."""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport State
from headway.kernels.transition.systems cimport arc_eager, arc_standard, swap
from headway.kernels.transition.systems.system cimport System, SystemFunctions, TransitionSystem, compiled

cdef void no_costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil:
    pass

cdef SystemFunctions eager, swapping, careless
eager.is_final, eager.legal, eager.apply = arc_eager.is_final, arc_eager.legal, arc_eager.apply
eager.child_of, eager.head_of = arc_eager.child_of, arc_eager.head_of
eager.static_action, eager.costs = arc_eager.static_action, arc_eager.costs
swapping.is_final, swapping.legal, swapping.apply = arc_standard.is_final, swap.legal, swap.apply
swapping.child_of, swapping.head_of = arc_standard.child_of, arc_standard.head_of
swapping.static_action, swapping.prepare = swap.static_action, swap.prepare
careless = eager
careless.costs = no_costs
ACTIONS = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE")
SYSTEMS = {
    "copied arc-eager": compiled(
        &eager,
        TransitionSystem(about="", roots=("end", "start", "none"), features="default", actions=ACTIONS),
    ),
    "costs nothing": compiled(&careless, TransitionSystem(about="", roots=("end",), actions=ACTIONS)),
    "unnamed REDUCE": compiled(&eager, TransitionSystem(about="", roots=("end",))),
    "copied swap": compiled(&swapping, TransitionSystem(about="", roots=("start",), projective=False)),
}
