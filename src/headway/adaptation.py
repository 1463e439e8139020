"""Learning on from corrections: the contract of stages that can, and what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from headway.batch import Batch
from headway.constraints import Constraints
from headway.errors import HeadwayError

MOST_ROUNDS = 10
"""How often a sentence is learned from at the most, until it is parsed right."""


class Learned(NamedTuple):
    """What a correction has led to."""

    stage: Any
    """The stage that has learned; the one before is as it was."""
    rounds: int
    """How often the sentence was learned from; 0 where it was parsed right already."""
    right: bool
    """Whether the sentence is parsed right now."""


@runtime_checkable
class Adapts(Protocol):
    """A stage that learns from single corrections; a capability beside the contract of stages."""

    def adapted(self, batch: Batch, wanted: Constraints) -> Learned:
        """A stage that has learned heads and labels of some or all words of the one sentence of a batch."""


def adapted(stages: Sequence[Any], batch: Batch, wanted: Constraints) -> Learned:
    """The last stage after a correction."""
    stage = stages[-1]
    if not isinstance(stage, Adapts):
        raise HeadwayError(
            f"a {stage.kind} does not learn from single corrections; transition and graph parsers do, others are"
            " trained again"
        )
    for before in stages[:-1]:
        batch = before.annotate(batch)
    return stage.adapted(batch, wanted)


def is_right(heads: Sequence[int], names: Sequence[str], wanted: Constraints) -> bool:
    """Whether a tree has all heads and labels that are wanted."""
    return all(heads[word - 1] == head for word, head in wanted.required.items()) and all(
        names[word - 1] == name for word, name in wanted.labels.items()
    )
