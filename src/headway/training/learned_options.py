"""Options of every stage that is learned from features; what only parsers have is in `parser_options.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from headway.base.errors import HeadwayError, described
from headway.base.options import named, pairs, whole, yes_no
from headway.base.stage_options import StageOptions, pairs_from
from headway.learners.online import Online
from headway.learners.registry import Learner, has_own_passes, learner_from, name_of

if TYPE_CHECKING:
    from headway.features.language import Feature

LIMIT = 30
"""Passes at most where a development treebank tells when to stop."""
AUTO = "auto"
"""Where this stands for a number of passes, cross-validation finds it."""
Pass = TypeVar("Pass", bound="InPasses")


@dataclass(frozen=True, kw_only=True)
class LearnedOptions(StageOptions):
    """What can be said of every stage that learns weights of features."""

    features: str | Sequence[Feature] = named(
        "default",
        "What the parser looks at: the name of a feature model, or a file of features.",
        placeholder="NAME|FILE",
        default_text="the features made for this kind of parser",
    )
    options: Mapping[str, Any] = pairs(
        "Set an option of the learner, as in phi=0.5; may be repeated. A wrong name lists the right ones."
    )
    seed: int = whole(1, "Random seed.", low=0)

    def __post_init__(self) -> None:
        """Read options of the learner that came as words, then check all."""
        object.__setattr__(self, "options", pairs_from(self.options))
        super().__post_init__()

    def ready(self) -> None:
        """Refuse a feature model that is not there."""
        find_features(self.features)


@dataclass(frozen=True, kw_only=True)
class InPasses(LearnedOptions):
    """What can be said of a stage that is learned in passes over the treebank; it has a field `learner`."""

    passes: int | str | None = whole(
        None,
        "How often to go through the treebank; auto finds the number by cross-validation.",
        words=(AUTO,),
        default_text=f"what suits the learner; with --dev until its LAS stops growing, at most {LIMIT}",
    )
    shuffle: bool = yes_no(True, "Shuffle the training data before each pass.")

    @property
    def chosen(self) -> Learner:
        """The learner with its options and passes."""
        found = learner_from(self.learner, self.options, self.learner_defaults)  # type: ignore[attr-defined]
        return replace(cast(Online, found), passes=self.passes) if isinstance(self.passes, int) else found

    @property
    def learner_defaults(self) -> Mapping[str, Mapping[str, Any]]:
        """Defaults that learners have in this family only."""
        return {}

    def __post_init__(self) -> None:
        """Refuse passes of a learner that makes none."""
        super().__post_init__()
        found = learner_from(self.learner, self.options, self.learner_defaults)  # type: ignore[attr-defined]
        if self.passes is not None and found.way != Online.way:
            raise HeadwayError(f"{name_of(found)} sees all examples at once, in no passes; leave passes out")

    def assure_decided(self) -> None:
        """Refuse passes that nobody has found yet."""
        if self.passes == AUTO:
            raise HeadwayError("passes = 'auto': find their number by cross-validation first, as headway.train does")

    def with_dev(self: Pass) -> Pass:
        """As many passes as dev asks for, where nobody has said a number."""
        learner: Any = self.learner  # type: ignore[attr-defined]
        said = self.passes is not None or "passes" in self.options
        said = said or (not isinstance(learner, str) and has_own_passes(learner))
        return self if said or self.chosen.way != Online.way else replace(self, passes=LIMIT)


def find_features(wanted: str | Sequence[Feature]) -> None:
    """Refuse the name of a feature model that is not there, and what are no features."""
    from headway.features.language import Feature
    from headway.features.registry import feature_model

    if isinstance(wanted, str):
        if wanted != "default":
            feature_model(wanted)
        return
    for one in wanted if isinstance(wanted, (list, tuple)) else [wanted]:
        if not isinstance(one, Feature):
            what = f"features: expected a feature, got {described(one)}"
            raise HeadwayError(f"{what}; name a feature model or a file, or give headway.features.language.parse(text)")
