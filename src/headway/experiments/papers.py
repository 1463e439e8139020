"""The figures of papers in a recipe file."""

from __future__ import annotations

from headway.errors import shown
from headway.experiments.entries import Entries
from headway.experiments.recipe import Paper


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
