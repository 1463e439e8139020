"""How good a parser is: all scores of a system's file against a gold file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headway.errors import HeadwayError, known
from headway.evaluation.attachment import attachment, sentences
from headway.evaluation.columns import Source
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.definitions import Definition
from headway.evaluation.score import Accuracy, Score
from headway.evaluation.ud import ud_scores


@dataclass(frozen=True)
class SystemScores:
    """The scores of a system, by their names in the literature, under one definition.

    `scores["LAS"]` is a `Score`; `print(scores)` says the definition too.
    """

    definition: Definition
    gold: str
    system: str
    metrics: Mapping[str, Score]

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.metrics:
            raise HeadwayError(
                f"no score {metric!r} with the definition {self.definition.name!r}; {known(self.metrics)}"
            )
        return self.metrics[metric]

    def __str__(self) -> str:
        return f"{', '.join(f'{name} {score}' for name, score in self.metrics.items())} [{self.definition}]"

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "definition": self.definition.name,
            "description": str(self.definition),
            "punctuation": self.definition.punctuation,
            "gold": self.gold,
            "system": self.system,
            "scores": {name: score.to_dict() for name, score in self.metrics.items()},
        }


def evaluate(
    gold: Source, system: Source, *, definition: str | None = None, punctuation: bool | None = None
) -> SystemScores:
    """The scores of a system's file, reader or sentences against the gold ones; options as for `compare`."""
    return scores_of(compare(gold, system, definition=definition, punctuation=punctuation))


def scores_of(comparison: Comparison) -> SystemScores:
    """The scores of files already compared."""
    same = comparison.definition.same_words
    found = {**(attachment(comparison) if same else ud_scores(comparison)), **sentences(comparison)}
    if same:
        found = {name: Accuracy(score.correct, score.gold, score.system) for name, score in found.items()}
    return SystemScores(comparison.definition, comparison.gold.columns.source, comparison.system.columns.source, found)
