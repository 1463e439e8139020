"""Breakdowns and lists of errors as tables, for the terminal and for the page alike."""

from __future__ import annotations

from collections.abc import Sequence

from headway.evaluation.breakdowns import BREAKDOWNS, ScoredGroup, groups
from headway.evaluation.comparison import Comparison
from headway.evaluation.confusions import error_kinds, label_confusions
from headway.evaluation.report import EvaluationReport
from headway.evaluation.score_tables import percent
from headway.show.reports.table import Table


def part_table(report: EvaluationReport, part: str, limit: int) -> list[Table]:
    """The table of a breakdown, or of a list cut to `limit` rows, one for each system."""
    if part in BREAKDOWNS:
        return [breakdown_table(report, part)]
    make = confusion_table if part == "confusions" else error_table
    tables = [make(comparison, limit) for comparison in report.comparisons]
    if len(tables) == 1:
        return tables
    return [table._replace(title=f"{table.title}, system {n}") for n, table in enumerate(tables, 1)]


def breakdown_table(report: EvaluationReport, part: str) -> Table:
    """The groups of a breakdown; precision, recall and F1 are of head and label together."""
    title = BREAKDOWNS[part].title
    found = [groups(comparison, part) for comparison in report.comparisons]
    if len(found) == 1:
        return Table(
            f"By {part}",
            (title, "gold", "system", "correct", "precision", "recall", "F1", "UAS", "LA"),
            [
                (
                    *(g.value, f"{g.gold:,}", f"{g.system:,}", f"{g.right:,}"),
                    *map(percent, (g.precision, g.recall, g.f1, g.uas, g.la)),
                )
                for g in found[0]
            ],
        )
    # Every measure of many systems would be wider than any screen.
    measures = (
        {"precision": "precision", "recall": "recall", "F1": "f1", "UAS": "uas"} if len(found) == 2 else {"F1": "f1"}
    )
    return Table(
        f"By {part}",
        (title, "gold", *(f"{name} {n}" for name in measures for n in range(1, len(found) + 1))),
        [
            (
                row[0].value,
                f"{row[0].gold:,}",
                *(percent(getattr(group, name)) for name in measures.values() for group in row),
            )
            for row in side_by_side(found)
        ],
    )


def side_by_side(found: Sequence[Sequence[ScoredGroup]]) -> list[tuple[ScoredGroup, ...]]:
    """The groups of several systems by value; a value that one of them never has counts as nothing there."""
    known = [{group.value: group for group in groups} for groups in found]
    gold = {group.value: group.gold for groups in known for group in groups.values()}
    return [
        tuple(groups.get(value) or ScoredGroup(value, count, 0, 0, 0, 0, 0) for groups in known)
        for value, count in gold.items()
    ]


def confusion_table(comparison: Comparison, limit: int) -> Table:
    """Confused labels, most frequent first."""
    found = label_confusions(comparison)
    rows = [(c.gold, c.system, f"{c.count:,}", f"{c.head_right:,}") for c in found[:limit]]
    return Table(_cut("Confused labels", len(found), limit), ("gold", "system", "count", "head right"), rows, names=2)


def error_table(comparison: Comparison, limit: int) -> Table:
    """Kinds of error, most frequent first."""
    found = error_kinds(comparison)
    header = ("tag", "gold head", "gold label", "system head", "system label", "wrong", "count")
    rows = [
        (e.tag, e.gold_head, e.gold_label, e.system_head, e.system_label, e.what, f"{e.count:,}") for e in found[:limit]
    ]
    return Table(_cut("Kinds of error", len(found), limit), header, rows, names=6)


def _cut(title: str, total: int, limit: int) -> str:
    return title if total <= limit else f"{title}, the {limit} most frequent of {total:,}"
