"""A report as a page: every table, and plots of the breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from headway.evaluation.breakdowns import BREAKDOWNS, ScoredGroup, groups
from headway.evaluation.metrics.confidence import confidences_of
from headway.evaluation.report import PARTS, EvaluationReport
from headway.evaluation.tables import by_value, confidence_tables, heading, part_table, score_table, significance_table
from headway.show.reports.axes import ACCURACY
from headway.show.reports.bars import bars
from headway.show.reports.figure import Figure
from headway.show.reports.lines import lines, reliability_diagram
from headway.show.reports.page import Page, Section
from headway.show.reports.table import Table

LISTED = 50
"""How many rows of a list are shown."""
PLOTTED = 30
"""How many bars at most."""
CURVES = ("exact-length", "distance", "depth")
"""Breakdowns by numbers, drawn as lines."""
FEWEST = 20
"""How many gold words a point of a line needs: fewer say nothing."""


def report_page(report: EvaluationReport, parts: Sequence[str] = PARTS) -> Page:
    """The scores, the tests of differences, and these breakdowns and lists."""
    sections = [_section(score_table(report))]
    if report.pairs:
        sections.append(_section(significance_table(report)))
    for table, figure in zip(confidence_tables(report), _reliability(report), strict=True):
        sections.append(Section(table.title, figures=[figure], tables=[table]))
    for part in parts:
        for table in part_table(report, part, LISTED):
            if [row[0] for row in table.rows] not in ([], ["_"]):
                notes = [BREAKDOWNS[part].note] if part in BREAKDOWNS else []
                figures = list(_figures(report, part)) if part in BREAKDOWNS else []
                sections.append(Section(table.title, list(filter(None, notes)), figures, [table]))
    return Page(f"Evaluation of {' and '.join(scores.system for scores in report.scores)}", heading(report), sections)


def _reliability(report: EvaluationReport) -> Iterator[Figure]:
    """For each system with confidences, how often words of a confidence are right."""
    for comparison in report.comparisons:
        found = confidences_of(comparison)
        if found:
            yield reliability_diagram({one.name: [(b.confidence, b.right) for b in one.bins] for one in found})


def _section(table: Table) -> Section:
    return Section(table.title, tables=[table])


def _figures(report: EvaluationReport, part: str) -> Iterator[Figure]:
    """LAS and UAS of the gold words of each group, of several systems LAS; nothing where no group is large."""
    found = [groups(comparison, part) for comparison in report.comparisons]
    rows = by_value(found)
    if part in CURVES:
        numbers = (row for row in rows if row[0].value != "root" and row[0].gold >= FEWEST)
        rows = sorted(numbers, key=lambda row: int(row[0].value))
    else:
        rows = rows[:PLOTTED]
    if not rows:
        return
    if len(found) == 1:
        series = {"LAS": _values(rows, 0, attrgetter("recall")), "UAS": _values(rows, 0, attrgetter("uas"))}
    else:
        series = {f"LAS, system {n + 1}": _values(rows, n, attrgetter("recall")) for n in range(len(found))}
    title = f"{' and '.join(series)} by {part}"
    if part in CURVES:
        title += f", where at least {FEWEST} gold words have the value"
        xs = [int(row[0].value) for row in rows]
        yield lines(xs, series, title=title, unit=" %", x_title=BREAKDOWNS[part].title, scale=ACCURACY)
    else:
        yield bars([row[0].value for row in rows], series, title=title, unit=" %")


def _values(
    rows: list[tuple[ScoredGroup, ...]], system: int, measure: Callable[[ScoredGroup], float]
) -> list[float | None]:
    return [100 * measure(row[system]) if row[system].gold else None for row in rows]
