"""The scores of a cross-validation: those of each fold, their mean and spread, and those of all sentences together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from headway.data.sentence import Sentence
from headway.evaluation.evaluate import SystemScores

METRICS = ("LAS", "UAS", "LA", "CLAS", "UCM", "LCM")
"""The scores of folds that are shown, as far as the definition has them."""


@dataclass(frozen=True)
class FoldScores:
    """What the parser that was trained without a fold gets right in it."""

    number: int
    sentences: int
    words: int
    scores: SystemScores


@dataclass(frozen=True, repr=False)
class CrossValidation:
    """The scores of all folds, those of all sentences together, and their parses in the order of the treebank."""

    folds: tuple[FoldScores, ...]
    together: SystemScores
    parses: Sequence[Sentence]

    @property
    def metrics(self) -> list[str]:
        """The scores that are shown."""
        return [name for name in METRICS if name in self.together.metrics]

    def mean(self, metric: str = "LAS") -> float:
        """The mean of a score over the folds, in per cent."""
        return mean(self._values(metric))

    def spread(self, metric: str = "LAS") -> float:
        """The standard deviation of a score over the folds, in points."""
        return stdev(self._values(metric))

    def _values(self, metric: str) -> list[float]:
        return [100 * one.scores[metric].f1 for one in self.folds]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the parses, for JSON."""
        return {
            **{name: value for name, value in self.together.to_dict().items() if name not in ("gold", "system")},
            "mean": {name: self.mean(name) for name in self.metrics},
            "standard_deviation": {name: self.spread(name) for name in self.metrics},
            "folds": [
                {
                    "fold": one.number,
                    "sentences": one.sentences,
                    "words": one.words,
                    "scores": {name: score.to_dict() for name, score in one.scores.metrics.items()},
                }
                for one in self.folds
            ],
        }

    def __repr__(self) -> str:
        return f"<CrossValidation: {self}>"

    def __str__(self) -> str:
        """The mean LAS with its spread."""
        counted = self.together.definition.name
        return f"LAS {self.mean():.2f} ± {self.spread():.2f} over {len(self.folds)} folds ({counted})"
