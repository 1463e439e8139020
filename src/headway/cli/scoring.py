"""What `headway evaluate` and `headway compare` share: options, and how scores are printed or written."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import print_json, print_table, say_skipped
from headway.cli.shared_options import DEFINITION, FORCE, JSON, PUNCTUATION, reading, with_options

if TYPE_CHECKING:
    from headway.evaluation.report import EvaluationReport
    from headway.show.reports.table import Table

LISTED = 20
"""How many rows of a list are printed."""

scoring = with_options(
    DEFINITION,
    PUNCTUATION,
    click.option(
        "--by",
        default="",
        metavar="NAMES",
        help="Breakdowns to print, with commas between: label, upos, xpos, length, exact-length, distance, "
        "direction, depth, sentence-length, projectivity, confusions, errors; or all.",
    ),
    JSON,
    click.option("--markdown", "as_markdown", is_flag=True, help="Print the tables as Markdown."),
    click.option("--html", metavar="FILE", help="Write a page with every breakdown and plots."),
    FORCE,
    reading,
)
"""The options of commands that score parses."""


def score(
    gold: str,
    systems: Sequence[str],
    *,
    by: str,
    as_json: bool,
    as_markdown: bool,
    html: str | None,
    columns: str,
    force: bool,
    format: str | None,
    on_error: str,
    **how: Any,
) -> None:
    """Score files of parses against a gold file, and print or write the report; `how` are options of `report`.

    The gold file has gold columns, whatever `columns` says.
    """
    from headway.base.files import (
        STANDARD,
        assure_apart,
        assure_one_standard,
        assure_writable,
        is_same_file,
        write_text,
    )
    from headway.data.formats.reading import read
    from headway.evaluation.page import report_page
    from headway.evaluation.report import parts_named, report
    from headway.show.reports.html import html as html_of
    from headway.show.reports.markdown import markdown

    parts = parts_named(by)
    assure_one_standard([gold, *systems])
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown exclude each other; choose one")
    if html:
        assure_apart(html, [gold, *systems], force=force)
        assure_writable(html)
    for path in systems:
        if is_same_file(gold, path):
            logging.getLogger("headway").warning("%s is scored against itself", path)
    readers = [read(gold, format=format, on_error=on_error)]
    readers += [read(path, format=format, columns=columns, on_error=on_error) for path in systems]
    result = report(*readers, **how)
    for reader in readers:
        say_skipped(reader)
    if html:
        write_text(html, html_of(report_page(result)))
    if as_json:
        print_json(result.to_dict(parts))
    elif as_markdown:
        click.echo(markdown(report_page(result, parts)), nl=False)
    elif html != STANDARD:
        _print(result, parts)


def score_stages(model: str, gold: str, *, as_json: bool, **others: Any) -> None:
    """Score a model with more and more of its stages at work, and print what each costs."""
    from headway.data.formats.reading import read
    from headway.stages.parsing.parser import load
    from headway.training.stage_costs import SHOWN, stage_costs

    how = {name: others.pop(name) for name in ("format", "columns", "on_error")}
    if given := [name.removeprefix("as_") for name, value in others.items() if value]:
        raise click.UsageError(f"--{given[0]} does not go with --stages; leave it out")
    reader = read(gold, **how)
    rows = stage_costs(load(model), reader)
    say_skipped(reader)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    click.echo(f"gold: {gold}, model: {model}\ndefinition: {rows[0].scores.definition}\n")
    table = [
        (
            ", ".join(row.given),
            row.stage or "parser",
            *(str(row.scores[name]) for name in SHOWN),
            "" if row.cost is None else f"{row.cost:.2f}",
        )
        for row in rows
    ]
    print_table(("given (gold)", "first at work", *SHOWN, "costs LAS"), table, names=2)


def _print(result: EvaluationReport, parts: Sequence[str]) -> None:
    from headway.evaluation.tables import confidence_tables, heading, part_table, score_table, significance_table

    for line in heading(result):
        click.echo(line)
    _print_table(score_table(result)._replace(title=""))
    tables = [significance_table(result)] if result.pairs else []
    tables += confidence_tables(result)
    for table in [*tables, *(table for part in parts for table in part_table(result, part, LISTED))]:
        _print_table(table)


def _print_table(table: Table) -> None:
    click.echo(f"\n{table.title}" if table.title else "")
    print_table(table.header, table.rows, names=table.names)
    for note in table.notes:
        click.echo(note)
