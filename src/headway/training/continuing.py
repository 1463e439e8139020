"""Training that goes on from a model: what parsers that are learned in passes have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from headway.base.errors import HeadwayError
from headway.base.schema import TEXT, Each, Kind, Record, whole
from headway.learners.online import Online
from headway.learners.registry import ONLINE
from headway.learners.registry import learner as learner_named
from headway.training.contract import Progress
from headway.training.learning_state import LearningState

Parser = TypeVar("Parser")
Learned = TypeVar("Learned", covariant=True)
COUNTED: dict[str, Kind] = {"passes": whole(0), "sentences": whole(0), "words": whole(0, 2**53)}
"""What is said about every model that can go on: how much it has learned from."""


class ContinuedTraining(Protocol[Learned]):
    """A training with a state of another one."""

    digest: str

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank once."""

    def parser(self) -> Learned:
        """The parser as it is now, with a state."""


def state_of(state: LearningState | None) -> LearningState:
    """The state of a parser; a sentence where there is none."""
    if state is None:
        what = "the model keeps nothing to go on from"
        raise HeadwayError(f"{what}; train it with --updatable (in Python updatable=True)")
    return state


def assure_told(about: Mapping[str, Any]) -> None:
    """Refuse a model that does not say how much it has learned from, and with which treebanks it has gone on."""
    told = {"continued": about.get("continued", []), **{name: about.get(name) for name in COUNTED}}
    for fault in Record({"continued": Each(TEXT), **COUNTED}).faults(told, "about"):
        raise HeadwayError(f"{fault.place} in the header of the model {fault.what}; train the model again")


def learner_of(about: Mapping[str, Any]) -> Online:
    """The learner that a parser was trained with; the average that was begun goes on."""
    described = about.get("learner")
    options = dict(described) if isinstance(described, Mapping) else {}
    name = options.pop("name", None)
    if name not in [*ONLINE]:
        raise HeadwayError("the model names no online learner that this headway has; train it again")
    return cast(Online, replace(cast(Any, learner_named(name, **options)), settle=0))


def continue_passes(training: ContinuedTraining[Parser], before: Parser, passes: int, progress: Progress) -> Parser:
    """The parser after passes of a training that has the state of another parser; what is said of both adds up."""
    assure_told(cast(Any, before).about)
    for number in range(1, passes + 1):
        training.step(number, lambda share, done=number - 1: progress((done + share) / passes))  # type: ignore[misc]
    found: Any = training.parser()
    begun: Any = before
    old: dict[str, Any] = begun.about
    about = {
        **old,
        **{what: found.about[what] for what in ("features", "weights") if what in found.about},
        **{what: old[what] + found.about[what] for what in COUNTED},
        "continued": [*old.get("continued", []), training.digest],
    }
    state = replace(found.state, header={**found.state.header, "passes": about["passes"]})
    return cast(Parser, replace(found, about=about, state=state, calibrator=begun.calibrator))
