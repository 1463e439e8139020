"""A report as a page: every table, and plots of the breakdowns."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from operator import attrgetter

from headway.evaluation.breakdowns import BREAKDOWNS, Group, groups
from headway.evaluation.report import PARTS, Report
from headway.evaluation.tables import heading, paired, part_table, score_table, significance_table
from headway.reports import html as page
from headway.reports import plots
from headway.reports.table import Table

LISTED = 50
"""How many rows of a list are shown."""
PLOTTED = 30
"""How many bars at most."""
CURVES = ("exact-length", "distance", "depth")
"""Breakdowns by numbers, drawn as lines."""
FEWEST = 20
"""How many gold words a point of a line needs: fewer say nothing."""


def report_page(report: Report) -> str:
    """The whole page."""
    body = [
        f'<p class="note">{"<br>".join(map(escape, heading(report)))}</p>',
        *_section(score_table(report)),
    ]
    if report.significance:
        body += _section(significance_table(report))
    for part in PARTS:
        for table in part_table(report, part, LISTED):
            if [row[0] for row in table.rows] not in ([], ["_"]):
                body += _section(table, _plot(report, part), _note(part)) if part in BREAKDOWNS else _section(table)
    return page.page(f"Evaluation of {' and '.join(scores.system for scores in report.scores)}", body)


def _section(table: Table, plot: str = "", note: str = "") -> list[str]:
    return [f"<h2>{escape(table.title)}</h2>", plot, note, page.table(table.header, table.rows, names=table.names)]


def _note(part: str) -> str:
    note = BREAKDOWNS[part].note
    return f'<p class="note">{escape(note)}</p>' if note else ""


def _plot(report: Report, part: str) -> str:
    """LAS and UAS of the gold words of each group, of two systems LAS; nothing where no group is large."""
    found = [groups(comparison, part) for comparison in report.comparisons]
    rows: list[tuple[Group, ...]] = [*(paired(*found) if len(found) == 2 else zip(*found, strict=True))]
    if part in CURVES:
        numbers = (row for row in rows if row[0].value != "root" and row[0].gold >= FEWEST)
        rows = sorted(numbers, key=lambda row: int(row[0].value))
    else:
        rows = rows[:PLOTTED]
    if not rows:
        return ""
    if len(found) == 1:
        series = {"LAS": _values(rows, 0, attrgetter("recall")), "UAS": _values(rows, 0, attrgetter("uas"))}
    else:
        series = {f"LAS, system {n + 1}": _values(rows, n, attrgetter("recall")) for n in (0, 1)}
    title = f"{' and '.join(series)} by {part}"
    if part in CURVES:
        title += f", where at least {FEWEST} gold words have the value"
        xs = [int(row[0].value) for row in rows]
        return plots.lines(xs, series, title=title, unit=" %", x_title=BREAKDOWNS[part].title)
    return plots.bars([row[0].value for row in rows], series, title=title, unit=" %")


def _values(rows: list[tuple[Group, ...]], system: int, measure: Callable[[Group], float]) -> list[float | None]:
    return [100 * measure(row[system]) if row[system].gold else None for row in rows]
