"""A transition system as it was chosen: its name, where the root stands, whether one word only hangs on it."""

from __future__ import annotations

from dataclasses import dataclass

from headway.errors import HeadwayError, known
from headway.kernels.transition import derivations
from headway.kernels.transition.system import OURS, ChosenSystem
from headway.transition.options import TransitionOptions
from headway.transition.registry import SYSTEMS, SystemKind


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
        if self.root not in self.kind.roots:
            raise HeadwayError(f"{self.name} knows no root at {self.root!r}; {known(self.kind.roots)}")

    @classmethod
    def of(cls, options: TransitionOptions) -> System:
        """The system that options ask for."""
        root = options.root or SYSTEMS[options.system].roots[0]
        return cls(name=options.system, root=root, single_root=options.single_root)

    @property
    def kind(self) -> SystemKind:
        """What it is like."""
        return SYSTEMS[self.name]

    @property
    def kernel(self) -> ChosenSystem:
        """The system for the kernels."""
        functions = self.kind.kernel or OURS.get(self.name)
        if functions is None:
            raise HeadwayError(
                f"transition system {self.name!r} has no kernel; compile one, as docs/extending.md shows"
            )
        return ChosenSystem(functions, self.name, self.root, bool(self.single_root))

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that some configuration leaves no choice but to take."""
        return tuple(map(derivations.ACTION_NAMES.index, self.kind.actions))
