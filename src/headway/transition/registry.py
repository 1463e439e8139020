"""Transition systems by name: ours, and those that other distributions bring as entry points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headway.errors import HeadwayError, known
from headway.registry import Registry

if TYPE_CHECKING:
    from headway.kernels.transition.system import SystemKernel

ROOTS = ("end", "start", "none")


@dataclass(frozen=True, kw_only=True)
class SystemKind:
    """What a transition system is like; `kernels/transition/` says what ours do, `kernel` another one's functions."""

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
    kernel: SystemKernel | None = None
    """The functions of a system that was compiled elsewhere; None for ours."""

    def __post_init__(self) -> None:
        """Refuse what the kernels do not know."""
        if self.kernel is None:
            return
        from headway.kernels.transition.derivations import ACTION_NAMES

        kinds = (("place of the root", self.roots, ROOTS), ("action", self.actions, ACTION_NAMES))
        for what, given, possible in kinds:
            for name in given:
                if name not in possible:
                    raise HeadwayError(f"unknown {what} {name!r} of a transition system; {known(possible)}")
        if not self.roots:
            raise HeadwayError(f"a transition system without a place for the root; {known(ROOTS)}")
        if self.explores and not self.kernel.explores:
            raise HeadwayError("a transition system that explores needs the function 'costs'; give it one")


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
    needs=("roots", "kernel"),
)
