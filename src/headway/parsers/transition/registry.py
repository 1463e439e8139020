"""Transition systems by name, and a system as a parser has chosen it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError, known
from headway.base.registry import Registry
from headway.kernels.transition.systems.system import ACTION_NAMES, OURS, SystemKernel, TransitionSystem

if TYPE_CHECKING:
    from headway.parsers.transition.options import TransitionOptions

SYSTEMS: Registry[TransitionSystem] = Registry(
    "transition system", "headway.systems", OURS, needs=("roots", "explores", "assure_complete")
)
"""Ours, and those that other distributions bring as entry points."""


@dataclass(frozen=True, kw_only=True)
class ChosenSystem(PickledByFields):
    """A transition system by its name, where the artificial root stands, and whether it takes one word only.

    `single_root` None leaves that to the treebank: one word only where all its trees have one root.
    """

    name: str = "arc-eager"
    root: str = "end"
    single_root: bool | None = None

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        if self.root not in self.system.roots:
            raise HeadwayError(f"{self.name} knows no root at {self.root!r}; {known(self.system.roots)}")

    @classmethod
    def of(cls, options: TransitionOptions) -> ChosenSystem:
        """The system that options ask for."""
        root = options.root or SYSTEMS[options.system].roots[0]
        return cls(name=options.system, root=root, single_root=options.single_root)

    @property
    def system(self) -> TransitionSystem:
        """What the registry has by that name."""
        return SYSTEMS[self.name]

    @cached_property
    def kernel(self) -> SystemKernel:
        """The system for the kernels."""
        return SystemKernel(self.system, self.name, self.root, bool(self.single_root))

    @property
    def free(self) -> ChosenSystem:
        """The same where several words may hang on the root.

        Learning takes no notice of the single root: lifted arcs may make a second one, and the costs of the dynamic
        oracle hold without it only.
        """
        return replace(self, single_root=False)

    @property
    def projective(self) -> bool:
        """Whether it builds projective trees only."""
        return bool(self.system.projective)

    @property
    def actions(self) -> tuple[int, ...]:
        """The numbers of the actions that some configuration leaves no choice but to take."""
        return tuple(map(ACTION_NAMES.index, self.system.actions))
