"""One system or several against a gold file: scores, significance and breakdowns together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from headway.base.errors import HeadwayError, known
from headway.base.short_repr import ShortRepr
from headway.evaluation.breakdowns import BREAKDOWNS, error_kinds, groups, label_confusions
from headway.evaluation.columns import Source, TreebankColumns, readable_in_all, treebank_columns
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.definitions import Definition
from headway.evaluation.evaluate import SystemScores, scores_of
from headway.evaluation.metrics.confidence import confidences_of
from headway.evaluation.metrics.ud import tags_compared
from headway.evaluation.significance import METRICS, TRIALS, Significance, holm, significance

LISTS: dict[str, Callable[[Comparison], Sequence[Any]]] = {
    "confusions": label_confusions,
    "errors": error_kinds,
}
"""What is listed rather than grouped."""
PARTS = (*BREAKDOWNS, *LISTS)


@dataclass(frozen=True)
class SystemPair:
    """Two systems by their places in a report, and the tests of their difference: the first minus the second."""

    first: int
    second: int
    tests: tuple[Significance, ...]
    corrected: Mapping[str, float]
    """For each metric `p`, corrected for the number of pairs."""


@dataclass(frozen=True, eq=False)
class EvaluationReport(ShortRepr):
    """What is known of one or several systems, the best by LAS first, and of each two of them."""

    comparisons: tuple[Comparison, ...]
    scores: tuple[SystemScores, ...]
    pairs: tuple[SystemPair, ...]

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
                    "tags": tags_compared(comparison),
                    "scores": {name: score.to_dict() for name, score in scores.metrics.items()},
                    **({"confidence": [one.to_dict() for one in sure]} if sure else {}),
                    **{part: _rows(comparison, part) for part in parts},
                }
                for scores, comparison in zip(self.scores, self.comparisons, strict=True)
                for sure in [confidences_of(comparison)]
            ],
            "significance": [
                {
                    "systems": [self.scores[pair.first].system, self.scores[pair.second].system],
                    **{name: value for name, value in test.to_dict().items() if name not in ("first", "second")},
                    "corrected": pair.corrected[test.metric],
                }
                for pair in self.pairs
                for test in pair.tests
            ],
        }


def report(
    gold: Source,
    *systems: Source,
    definition: str | None = None,
    punctuation: bool | None = None,
    metrics: Sequence[str] = METRICS,
    trials: int = TRIALS,
    seed: int = 1,
) -> EvaluationReport:
    """Compare systems with a gold file; the options of `compare` and `significance`. O(systems² · trials).

    `metrics` are the scores whose differences are tested.
    """
    if not systems:
        raise HeadwayError("no system was given; name at least one file of parses")
    ours = treebank_columns(gold)
    ours, *theirs = readable_in_all([ours, *(treebank_columns(system, ours.names) for system in systems)])
    comparisons = tuple(compare(ours, one, definition=definition, punctuation=punctuation) for one in theirs)
    found = sorted(zip(comparisons, map(scores_of, comparisons), strict=True), key=lambda one: -one[1]["LAS"].f1)
    comparisons = tuple(comparison for comparison, _ in found)
    pairs = _pairs(comparisons, tuple(dict.fromkeys(metrics)), trials, seed)
    return EvaluationReport(comparisons, tuple(scores for _, scores in found), pairs)


def _pairs(comparisons: Sequence[Comparison], metrics: Sequence[str], trials: int, seed: int) -> tuple[SystemPair, ...]:
    """The tests of each two systems, in their order: the first of two has the higher LAS, or the same."""
    tests = {
        (first, second): tuple(
            significance(comparisons[second], comparisons[first], metric, trials=trials, seed=seed)
            for metric in metrics
        )
        for first, second in combinations(range(len(comparisons)), 2)
    }
    of_metrics = ([each[at].p for each in tests.values()] for at in range(len(metrics)))
    corrected = [dict(zip(metrics, ps, strict=True)) for ps in zip(*map(holm, of_metrics), strict=True)]
    return tuple(
        SystemPair(first, second, each, ps)
        for ((first, second), each), ps in zip(tests.items(), corrected, strict=True)
    )


def _rows(comparison: Comparison, part: str) -> list[dict[str, Any]]:
    """The rows of a breakdown or list, by name, for JSON."""
    if part in LISTS:
        return [asdict(row) for row in LISTS[part](comparison)]
    return [group.to_dict() for group in groups(comparison, part)]


def parts_named(text: str) -> tuple[str, ...]:
    """The breakdowns and lists in `label,length`; `all` is every one of them."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if "all" in names:
        return PARTS
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise HeadwayError(f"unknown breakdown {unknown[0]!r}; {known((*PARTS, 'all'))}")
    return names
