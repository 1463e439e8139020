"""The description of swap."""

from headway.kernels.transition.systems.system cimport ARC_SWAP, TransitionSystem, ours

SYSTEM = ours(
    ARC_SWAP,
    TransitionSystem(
        about="Nivre (2009); arc-standard that can reorder words, for every tree", roots=("start",), projective=False
    ),
    explores=False,
)
