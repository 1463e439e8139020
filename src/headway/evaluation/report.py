"""One or two systems against a gold file: scores, significance and breakdowns together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headway.errors import HeadwayError, known
from headway.evaluation.breakdowns import BREAKDOWNS, groups
from headway.evaluation.columns import Source, TreebankColumns, load
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.confusions import error_kinds, label_confusions
from headway.evaluation.definitions import Definition
from headway.evaluation.partners import together
from headway.evaluation.scores import SystemScores, scores_of
from headway.evaluation.significance import METRICS, TRIALS, Significance, significance

LISTS: dict[str, Callable[[Comparison], Sequence[Any]]] = {
    "confusions": label_confusions,
    "errors": error_kinds,
}
"""What is listed rather than grouped."""
PARTS = (*BREAKDOWNS, *LISTS)


@dataclass(frozen=True, eq=False)
class EvaluationReport:
    """What is known of one or two systems; `significance` is about LAS and UAS where there are two."""

    comparisons: tuple[Comparison, ...]
    scores: tuple[SystemScores, ...]
    significance: tuple[Significance, ...]

    @property
    def definition(self) -> Definition:
        return self.comparisons[0].definition

    @property
    def gold(self) -> TreebankColumns:
        return self.comparisons[0].gold.columns

    @cached_property
    def counted(self) -> int:
        """The gold words that count."""
        return int(self.comparisons[0].gold.counted.sum())

    def to_dict(self, parts: Sequence[str] = ()) -> dict[str, Any]:
        """Everything, for JSON, with the breakdowns named."""
        return {
            "definition": self.definition.name,
            "description": str(self.definition),
            "gold": {
                "file": self.gold.source,
                "sentences": self.gold.sentences,
                "words": len(self.gold),
                "counted": self.counted,
            },
            "systems": [
                {
                    "file": scores.system,
                    "scores": {name: score.to_dict() for name, score in scores.metrics.items()},
                    **{part: [row.to_dict() for row in rows_of(comparison, part)] for part in parts},
                }
                for scores, comparison in zip(self.scores, self.comparisons, strict=True)
            ],
            "significance": [difference.to_dict() for difference in self.significance],
        }


def report(
    gold: Source,
    *systems: Source,
    definition: str | None = None,
    punctuation: bool | None = None,
    trials: int = TRIALS,
    seed: int = 1,
) -> EvaluationReport:
    """Compare one or two systems with a gold file; the options of `compare` and `significance`."""
    if not 1 <= len(systems) <= 2:
        raise HeadwayError(f"{len(systems)} systems were given; evaluation takes one, or two to compare")
    ours = load(gold)
    ours, *theirs = together([ours, *(load(system, ours.names) for system in systems)])
    comparisons = tuple(compare(ours, one, definition=definition, punctuation=punctuation) for one in theirs)
    tests: tuple[Significance, ...] = ()
    if len(comparisons) == 2:
        first, second = comparisons
        tests = tuple(significance(first, second, metric, trials=trials, seed=seed) for metric in METRICS)
    return EvaluationReport(comparisons, tuple(map(scores_of, comparisons)), tests)


def rows_of(comparison: Comparison, part: str) -> Sequence[Any]:
    """The rows of a breakdown or list, by name; each has `to_dict`."""
    return LISTS[part](comparison) if part in LISTS else groups(comparison, part)


def parts_named(text: str) -> tuple[str, ...]:
    """The breakdowns and lists in `label,length`; `all` is every one of them."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if "all" in names:
        return PARTS
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise HeadwayError(f"unknown breakdown {unknown[0]!r}; {known((*PARTS, 'all'))}")
    return names
