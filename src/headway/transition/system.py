"""Transition systems by name."""

from __future__ import annotations

from dataclasses import dataclass

from headway.errors import HeadwayError, known
from headway.kernels import transition as kernel

SYSTEMS = {
    "arc-eager": "Nivre (2003, 2008); arcs as soon as both words are seen",
    "arc-standard": "Nivre (2004); a word is attached when it has all its children",
    "swap": "Nivre (2009); arc-standard that can reorder words, for every tree",
}
ROOTS = {"arc-eager": ("end", "start", "none"), "arc-standard": ("start",), "swap": ("start",)}


@dataclass(frozen=True, kw_only=True)
class System:
    """A transition system: its name, where the artificial root stands, and whether it takes one word only.

    `single_root` None leaves that to the treebank: one word only where all its trees have one root.
    """

    name: str = "arc-eager"
    root: str = "end"
    single_root: bool | None = None

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        if self.name not in SYSTEMS:
            raise HeadwayError(f"unknown transition system {self.name!r}; {known(SYSTEMS)}")
        if self.root not in ROOTS[self.name]:
            raise HeadwayError(f"{self.name} knows no root at {self.root!r}; {known(ROOTS[self.name])}")

    @property
    def numbers(self) -> tuple[int, int, bool]:
        """The system for the kernels."""
        return kernel.SYSTEMS[self.name], kernel.ROOTS[self.root], bool(self.single_root)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that some configuration leaves no choice but to take."""
        names = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", *(["REDUCE"] if self.name == "arc-eager" else []))
        return tuple(map(kernel.ACTION_NAMES.index, names))

    @property
    def default_features(self) -> str:
        """The feature model that looks at the words the system joins."""
        return "default" if self.name == "arc-eager" else "default-stack"

    @property
    def is_projective(self) -> bool:
        """Whether it builds projective trees only."""
        return self.name != "swap"
