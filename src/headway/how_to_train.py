"""Options of a training, whatever is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headway.families import FAMILIES
from headway.option_kinds import listed
from headway.options import Checked, whole, words, yes_no


@dataclass(frozen=True, kw_only=True)
class HowToTrain(Checked):
    """When to stop, what to choose first, where to go on from."""

    patience: int = whole(3, "Stop after this many passes or rounds without a better dev score.")
    folds: int = whole(
        5,
        "How many parts cross-validation makes: for --passes auto, and for training a stage on the output of another.",
        low=2,
    )
    tune: str | Sequence[str] = words("", "Options to choose on dev first, as in C,decoder.")
    stages: str | Sequence[str] = words(
        "", "Stages to train before the parser; set their options with -O STAGE.NAME=VALUE."
    )
    resume: bool = yes_no(True, "Continue an interrupted training, or start again.", yes="resume", no="restart")

    def __post_init__(self) -> None:
        """Refuse unknown stages."""
        super().__post_init__()
        for name in self.before:
            FAMILIES[name]

    @property
    def tuned(self) -> tuple[str, ...]:
        """The names of options to choose on dev."""
        return listed(self.tune)

    @property
    def before(self) -> tuple[str, ...]:
        """The stages before the parser."""
        return listed(self.stages)
