"""What commands print to a terminal: JSON, tables, progress bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli import is_quiet

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

WIDEST = 1000
"""Columns enough for every table: nothing is cut."""


def print_json(value: Any) -> None:
    """Print something as JSON, indented."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", names: int = 1) -> None:
    """A table as wide as it needs to be; the first `names` columns hold text, the others numbers."""
    from rich import box, table
    from rich.text import Text

    from headway.show.reports.page import Bold

    drawn = table.Table(box=box.SIMPLE_HEAD if any(header) else None, show_edge=False, pad_edge=False)
    drawn.show_header = any(header)
    for number, name in enumerate(header):
        drawn.add_column(name, justify="left" if number < names else "right", no_wrap=True)
    for row in rows:
        drawn.add_row(*(Text(cell, "bold") if isinstance(cell, Bold) else cell for cell in row))
    wide = console()
    wide.width = WIDEST
    if title:
        click.echo(title)
    wide.print(drawn)


def progress_bar(*columns: str) -> Progress:
    """A bar on standard error that disappears at the end; none without a terminal, or with -q.

    Its columns are `bar`, `count`, `elapsed`, `remaining`, or text in which fields of the task may stand.
    """
    from rich import progress

    out, known = (
        console(stderr=True),
        {
            "bar": progress.BarColumn,
            "count": progress.MofNCompleteColumn,
            "elapsed": progress.TimeElapsedColumn,
            "remaining": progress.TimeRemainingColumn,
        },
    )
    made = (known[name]() if name in known else progress.TextColumn(name) for name in columns)
    return progress.Progress(*made, console=out, transient=True, disable=is_quiet() or not out.is_terminal)


def console(stderr: bool = False) -> Console:
    """Where tables and trees go; plain text if it is not a terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)
