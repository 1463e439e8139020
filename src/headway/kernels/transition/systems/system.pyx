"""Transition systems as objects that Python carries from the registry to the kernels."""

from headway.base.errors import HeadwayError, known
from headway.kernels.transition.state cimport (
    ACTIONS, CIRCULAR, ENDLESS, FINE, IMPOSSIBLE_ARC, NOTHING_LEGAL, OUT_OF_BOUNDS, State,
)

ACTION_NAMES = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE", "SWAP")
ROOTS = ("end", "start", "none")
"""Where the artificial root may stand: at the end of the queue, at the bottom of the stack, nowhere.

Both in the order of their numbers in state.pxd.
"""
FAULTS = {
    NOTHING_LEGAL: "leaves nothing to do in a configuration that is not final; let `legal` allow one of its actions",
    IMPOSSIBLE_ARC: "makes an arc that cannot be; let `child_of` be a word without a head and `head_of` another node",
    OUT_OF_BOUNDS: "leaves the bounds of the stack or the queue; let `legal` allow only what `apply` can do",
    ENDLESS: "does not come to an end; let every action bring the configuration nearer to one that `is_final`",
    CIRCULAR: "makes a circle of arcs; let `legal` allow no arc to a word from one below it",
}


cdef class TransitionSystem:
    """What a transition system is like, and its functions: those of one of ours, or those that `compiled` gave it.

    - `roots`: where the artificial root may stand; the first is the best.
    - `projective`: whether it builds projective trees only.
    - `features`: the feature model that looks at the words the system joins.
    - `actions`: those that some configuration leaves no choice but to take.
    - `explores`: whether it has a dynamic oracle, so that training can follow its own predictions.
    """

    def __init__(
        self, *, str about not None, tuple roots not None, bint projective=True, str features not None="default-stack",
        tuple actions not None=("SHIFT", "LEFT-ARC", "RIGHT-ARC"),
    ):
        for what, given, possible in (("place of the root", roots, ROOTS), ("action", actions, ACTION_NAMES)):
            for name in given:
                if name not in possible:
                    raise HeadwayError(f"unknown {what} {name!r} of a transition system; {known(possible)}")
        if not roots:
            raise HeadwayError(f"a transition system without a place for the root; {known(ROOTS)}")
        self.about, self.roots, self.actions = about, roots, actions
        self.projective, self.features = projective, features

    def assure_complete(self, str name):
        """Refuse a system that lacks a function, or that was compiled against another headway."""
        if self.kind == UNCOMPILED:
            raise HeadwayError(f"transition system {name!r} has no functions; compile them, as docs/extending.md shows")
        if self.kind != OUTSIDE:
            return
        if self.layout != LAYOUT:
            raise HeadwayError(
                f"transition system {name!r} was compiled against another headway"
                f" (layout {self.layout}, this one has {LAYOUT}); compile it again"
            )
        for number, function in enumerate(("is_final", "legal", "child_of", "head_of", "apply", "static_action")):
            if (<void**> &self.functions)[<int> number] == NULL:
                raise HeadwayError(f"transition system {name!r} has no function {function!r}; give it one")


cdef TransitionSystem ours(int kind, TransitionSystem system, bint explores):
    """A system that `dispatch.pxd` knows by its kind."""
    system.kind, system.explores = kind, explores
    return system


EAGER = ours(
    ARC_EAGER,
    TransitionSystem(
        about="Nivre (2003, 2008); arcs as soon as both words are seen",
        roots=("end", "start", "none"),
        features="default",
        actions=("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE"),
    ),
    explores=True,
)
STANDARD = ours(
    ARC_STANDARD,
    TransitionSystem(about="Nivre (2004); a word is attached when it has all its children", roots=("start",)),
    explores=False,
)
SWAPPING = ours(
    ARC_SWAP,
    TransitionSystem(
        about="Nivre (2009); arc-standard that can reorder words, for every tree", roots=("start",), projective=False
    ),
    explores=False,
)
OURS = {"arc-eager": f"{__name__}:EAGER", "arc-standard": f"{__name__}:STANDARD", "swap": f"{__name__}:SWAPPING"}
"""The transition systems that come with headway, and where they are described."""


cdef class SystemKernel:
    """A system with the place of its root, and whether one word only hangs on that: all that the kernels ask for."""

    def __init__(self, TransitionSystem system not None, str name not None, str root, bint single):
        system.assure_complete(name)
        self.owner, self.name = system, name
        self.system.kind, self.system.root, self.system.single = system.kind, ROOTS.index(root), single
        self.system.actions = (1 << ACTIONS) - 1
        self.system.outside = &system.functions

    cdef int check(self, const State* state) except -1:
        """Raise the fault of a configuration, if it has one."""
        if state.fault != FINE:
            raise HeadwayError(
                f"{state.tree.n} words, {state.steps} transitions: transition system {self.name!r}"
                f" {FAULTS[state.fault]}"
            )
        return 0
