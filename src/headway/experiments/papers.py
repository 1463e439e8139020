"""The figures of papers, and others that were measured elsewhere, in a recipe file."""

from __future__ import annotations

from headway.errors import known, shown
from headway.experiments.entries import Entries
from headway.experiments.recipe import Elsewhere, Paper


def paper_from(entries: Entries) -> Paper:
    """The figures of a paper."""
    columns = entries.texts("columns")
    rows = {name: tuple(found) for name, found in entries.take("rows", dict).items()}
    for name, figures in rows.items():
        if len(figures) != len(columns):
            raise entries.wrong(f"row {shown(name)} has {len(figures)} figures", f"there are {len(columns)} columns")
    found = Paper(columns=columns, rows=rows, data=entries.take("data", str))
    entries.end()
    return found


def elsewhere_from(entries: Entries, metrics: tuple[str, ...]) -> Elsewhere:
    """A `[[table.elsewhere]]`; its figures are those of metrics of the table."""
    figures = {}
    for name, figure in entries.take("figures", dict).items():
        if name not in metrics:
            raise entries.wrong(f"the table does not show {shown(name)}", known(metrics))
        if isinstance(figure, bool) or not isinstance(figure, (int, float)):
            raise entries.wrong(f"{name} = {shown(str(figure))}", "it must be a number")
        figures[name] = float(figure)
    found = Elsewhere(name=entries.take("name", str), figures=figures, source=entries.take("source", str))
    entries.end()
    return found
