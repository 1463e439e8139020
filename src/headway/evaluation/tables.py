"""The tables of a report, for the terminal and for the page alike."""

from __future__ import annotations

from headway.evaluation.breakdowns import BREAKDOWNS, ScoredGroup, groups
from headway.evaluation.comparison import Comparison
from headway.evaluation.confusions import error_kinds, label_confusions
from headway.evaluation.report import EvaluationReport
from headway.evaluation.score import Score
from headway.reports.table import Table, p_text


def percent(fraction: float | None) -> str:
    """A fraction in per cent, with two decimals."""
    return "" if fraction is None else f"{100 * fraction:.2f}"


def heading(report: EvaluationReport) -> list[str]:
    """What was compared, and how: a line for each file and one for the definition."""
    gold = report.gold
    words = f"sentences: {gold.sentences:,}, words: {len(gold):,}"
    if report.counted < len(gold):
        words += f", counted: {report.counted:,}"
    numbers = [""] if len(report.scores) == 1 else [" 1", " 2"]
    systems = [f"system{n}: {s.system}" for n, s in zip(numbers, report.scores, strict=True)]
    return [f"gold: {gold.source}, {words}", *systems, f"definition: {report.definition}"]


def score_table(report: EvaluationReport) -> Table:
    """All scores: of one system with its counts or precision and recall, of two side by side."""
    if len(report.scores) == 2:
        return _side_by_side(report)
    metrics = report.scores[0].metrics.items()
    if report.definition.same_words:
        rows = [(name, str(score), f"{score.correct:,}", f"{score.gold:,}") for name, score in metrics]
        return Table("Scores", ("", "%", "correct", "of"), rows)
    return Table("Scores", ("", "precision", "recall", "F1", "aligned"), [_rates(*item) for item in metrics])


def _rates(name: str, score: Score) -> tuple[str, ...]:
    return name, percent(score.precision), percent(score.recall), str(score), percent(score.aligned_accuracy)


def _side_by_side(report: EvaluationReport) -> Table:
    first, second = report.scores
    rows = [
        (name, str(score), str(second[name]), f"{100 * (second[name].f1 - score.f1):+.2f}")
        for name, score in first.metrics.items()
    ]
    return Table("Scores (F1)", ("", "system 1", "system 2", "difference"), rows)


def significance_table(report: EvaluationReport) -> Table:
    """The p-values of the difference between two systems."""
    header = ("", "difference", "95 % interval", "p bootstrap", "p randomisation", "p McNemar")
    rows = [
        (
            test.metric,
            f"{test.difference:+.2f}",
            f"{test.interval[0]:+.2f} … {test.interval[1]:+.2f}",
            *(p_text(p, 4) for p in (test.bootstrap, test.randomisation, test.mcnemar)),
        )
        for test in report.significance
    ]
    drawn = report.significance[0]
    drawing = f"{drawn.trials:,} draws of sentences with seed {drawn.seed}"
    title = f"Significance, two-sided, {drawing}; McNemar over words"
    return Table(title, header, rows)


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
    measures = {"precision": "precision", "recall": "recall", "F1": "f1", "UAS": "uas"}
    return Table(
        f"By {part}",
        (title, "gold", *(f"{name} {n}" for name in measures for n in (1, 2))),
        [
            (
                a.value,
                f"{a.gold:,}",
                *(percent(getattr(g, name)) for name in measures.values() for g in (a, b)),
            )
            for a, b in paired(*found)
        ],
    )


def paired(first: list[ScoredGroup], second: list[ScoredGroup]) -> list[tuple[ScoredGroup, ScoredGroup]]:
    """The groups of two systems by value; a value that one of them never has counts as nothing there."""
    mine, other = ({group.value: group for group in found} for found in (first, second))
    values = [*mine, *(value for value in other if value not in mine)]
    return [(mine.get(value) or _nothing(other[value]), other.get(value) or _nothing(mine[value])) for value in values]


def _nothing(group: ScoredGroup) -> ScoredGroup:
    return ScoredGroup(group.value, group.gold, 0, 0, 0, 0, 0)


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
