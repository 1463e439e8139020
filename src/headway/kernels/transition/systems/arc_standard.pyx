"""The description of arc-standard."""

from headway.kernels.transition.systems.system cimport ARC_STANDARD, TransitionSystem, ours

SYSTEM = ours(
    ARC_STANDARD,
    TransitionSystem(about="Nivre (2004); a word is attached when it has all its children", roots=("start",)),
    explores=False,
)
