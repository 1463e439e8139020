"""Transition systems by name: ours, and those that other distributions bring as entry points."""

from __future__ import annotations

from dataclasses import dataclass

from headway.registry import Registry


@dataclass(frozen=True, kw_only=True)
class SystemKind:
    """What a transition system is like; `kernels/state.pxd` says what it does."""

    about: str
    roots: tuple[str, ...]
    """Where the artificial root may stand; the first is the best."""
    projective: bool = True
    """Whether it builds projective trees only."""
    explores: bool = False
    """Whether it has a dynamic oracle, so that training can follow its own predictions."""
    features: str = "default-stack"
    """The feature model that looks at the words the system joins."""
    actions: tuple[str, ...] = ("SHIFT", "LEFT-ARC", "RIGHT-ARC")
    """Those that some configuration leaves no choice but to take."""


ARC_EAGER = SystemKind(
    about="Nivre (2003, 2008); arcs as soon as both words are seen",
    roots=("end", "start", "none"),
    explores=True,
    features="default",
    actions=("SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE"),
)
ARC_STANDARD = SystemKind(about="Nivre (2004); a word is attached when it has all its children", roots=("start",))
SWAP = SystemKind(
    about="Nivre (2009); arc-standard that can reorder words, for every tree", roots=("start",), projective=False
)
SYSTEMS: Registry[SystemKind] = Registry(
    "transition system",
    "headway.systems",
    {
        "arc-eager": "headway.transition.registry:ARC_EAGER",
        "arc-standard": "headway.transition.registry:ARC_STANDARD",
        "swap": "headway.transition.registry:SWAP",
    },
)
ROOTS = ("end", "start", "none")
