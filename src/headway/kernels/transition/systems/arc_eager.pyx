"""The description of arc-eager."""

from headway.kernels.transition.systems.system cimport ARC_EAGER, TransitionSystem, ours

SYSTEM = ours(
    ARC_EAGER,
    TransitionSystem(
        about="Nivre (2003, 2008); arcs as soon as both words are seen",
        roots=("end", "start", "none"),
        features="default",
        actions=("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE"),
    ),
    explores=True,
)
