"""Transition systems as objects that Python carries from the registry to the kernels."""

from headway.errors import HeadwayError
from headway.kernels.transition.state cimport (
    ACTIONS, ARC_EAGER, ARC_STANDARD, ARC_SWAP, CIRCULAR, ENDLESS, FINE, IMPOSSIBLE_ARC, NOTHING_LEGAL, OUT_OF_BOUNDS,
    OUTSIDE, ROOT_END, ROOT_NONE, ROOT_START, State,
)

ROOTS = {"end": ROOT_END, "start": ROOT_START, "none": ROOT_NONE}
FAULTS = {
    NOTHING_LEGAL: "leaves nothing to do in a configuration that is not final; let `legal` allow one of its actions",
    IMPOSSIBLE_ARC: "makes an arc that cannot be; let `child_of` be a word without a head and `head_of` another node",
    OUT_OF_BOUNDS: "leaves the bounds of the stack or the queue; let `legal` allow only what `apply` can do",
    ENDLESS: "does not come to an end; let every action bring the configuration nearer to one that `is_final`",
    CIRCULAR: "makes a circle of arcs; let `legal` allow no arc to a word from one below it",
}


cdef class SystemKernel:
    """What a transition system does: one of ours, or the functions of a module that `system_kernel` was called in."""

    @property
    def explores(self):
        """Whether it has a dynamic oracle."""
        return self.functions.costs != NULL if self.kind == OUTSIDE else self.kind == ARC_EAGER

    def assure_complete(self, str name):
        """Refuse a system from outside that lacks a function, or that was compiled against another headway."""
        if self.kind != OUTSIDE:
            return
        if self.layout != LAYOUT:
            raise HeadwayError(
                f"transition system {name!r} was compiled against another headway"
                f" (layout {self.layout}, this one has {LAYOUT}); compile it again"
            )
        for function, there in (
            ("is_final", self.functions.is_final != NULL),
            ("legal", self.functions.legal != NULL),
            ("child_of", self.functions.child_of != NULL),
            ("head_of", self.functions.head_of != NULL),
            ("apply", self.functions.apply != NULL),
            ("static_action", self.functions.static_action != NULL),
        ):
            if not there:
                raise HeadwayError(f"transition system {name!r} has no function {function!r}; give it one")


cdef SystemKernel ours(int kind):
    cdef SystemKernel kernel = SystemKernel.__new__(SystemKernel)
    kernel.kind = kind
    return kernel


OURS = {"arc-eager": ours(ARC_EAGER), "arc-standard": ours(ARC_STANDARD), "swap": ours(ARC_SWAP)}


cdef class ChosenSystem:
    """A system with the place of its root, and whether one word only hangs on that: all that the kernels ask for."""

    def __init__(self, SystemKernel kernel not None, str name not None, str root, bint single):
        kernel.assure_complete(name)
        self.kernel, self.name = kernel, name
        self.system.kind, self.system.root, self.system.single = kernel.kind, ROOTS[root], single
        self.system.actions = (1 << ACTIONS) - 1
        self.system.outside = &kernel.functions

    cdef int check(self, const State* state) except -1:
        """Raise the fault of a configuration, if it has one."""
        if state.fault != FINE:
            raise HeadwayError(
                f"{state.tree.n} words, {state.steps} transitions: transition system {self.name!r}"
                f" {FAULTS[state.fault]}"
            )
        return 0
