"""Training that goes on from a model: what parsers that are learned in passes have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from headway.errors import HeadwayError
from headway.learners.online import Online
from headway.learners.registry import learner as learner_named
from headway.training.contract import Progress
from headway.training.learning_state import LearningState

Parser = TypeVar("Parser")
Learned = TypeVar("Learned", covariant=True)


class GoingOn(Protocol[Learned]):
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


def learner_of(about: Mapping[str, Any]) -> Online:
    """The learner that a parser was trained with; the average that was begun goes on."""
    described = dict(about["learner"])
    name = described.pop("name")
    return cast(Online, replace(cast(Any, learner_named(name, **described)), settle=0))


def gone_on(training: GoingOn[Parser], before: Parser, passes: int, progress: Progress) -> Parser:
    """The parser after passes of a training that has the state of another parser; what is said of both adds up."""
    for number in range(1, passes + 1):
        training.step(number, lambda share, done=number - 1: progress((done + share) / passes))  # type: ignore[misc]
    found: Any = training.parser()
    begun: Any = before
    old: dict[str, Any] = begun.about
    about = {
        **old,
        **{what: found.about[what] for what in ("features", "weights") if what in found.about},
        **{what: old.get(what, 0) + found.about[what] for what in ("passes", "sentences", "words")},
        "continued": [*old.get("continued", []), training.digest],
    }
    state = replace(found.state, header={**found.state.header, "passes": about["passes"]})
    return cast(Parser, replace(found, about=about, state=state, calibrator=begun.calibrator))
