"""What `headway evaluate` and `headway compare` share: how scores are counted, and how they are printed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import COLUMN_CHOICES, FORCE, FORMAT_NAMES, ON_ERROR, Function, print_table, say_skipped

if TYPE_CHECKING:
    from headway.evaluation.report import EvaluationReport
    from headway.show.reports.table import Table

LISTED = 20
"""How many rows of a list are printed."""


def scoring(function: Function) -> Function:
    """The options of commands that score parses."""
    options = (
        click.option(
            "--definition",
            type=click.Choice(["ud", "conllx", "all"]),
            help="What counts as right; by default ud for CoNLL-U, conllx for other gold formats.",
        ),
        click.option(
            "--punctuation/--no-punctuation",
            default=None,
            help="Count words made only of punctuation, or not; by default conllx does not, ud and all do.",
        ),
        click.option(
            "--by",
            default="",
            metavar="NAMES",
            help="Breakdowns to print, with commas between: label, upos, xpos, length, exact-length, distance, "
            "direction, depth, sentence-length, projectivity, confusions, errors; or all.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--markdown", "as_markdown", is_flag=True, help="Print the tables as Markdown."),
        click.option("--html", metavar="FILE", help="Write a page with every breakdown and plots."),
        click.option(
            *("--from", "format"),
            type=click.Choice([*FORMAT_NAMES, "penn"]),
            help="Format of the files; recognised by their content if not given.",
        ),
        click.option(
            "--columns",
            type=click.Choice(COLUMN_CHOICES),
            default="gold",
            show_default=True,
            help="Which columns of CoNLL-2008 and CoNLL-2009 to read from the systems' files.",
        ),
        FORCE,
        ON_ERROR,
    )
    for option in reversed(options):
        function = option(function)
    return function


def score(
    gold: str,
    systems: Sequence[str],
    *,
    by: str,
    as_json: bool,
    as_markdown: bool,
    html: str | None,
    format: str | None,
    columns: str,
    force: bool,
    on_error: str,
    **how: Any,
) -> None:
    """Score files of parses against a gold file, and print or write the report; `how` are options of `report`."""
    from headway.base.files import STANDARD, assure_apart, assure_one_standard, assure_writable, is_same_file
    from headway.data.formats.reading import read
    from headway.evaluation.report import parts_named, report

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
        _write_page(result, html)
    if as_json:
        import json

        click.echo(json.dumps(result.to_dict(parts), ensure_ascii=False, indent=2))
    elif as_markdown:
        from headway.evaluation.page import report_page
        from headway.show.reports.markdown import markdown

        click.echo(markdown(report_page(result, parts)), nl=False)
    elif html != STANDARD:
        _print(result, parts)


def score_stages(
    model: str, gold: str, *, as_json: bool, format: str | None, columns: str, on_error: str, **others: Any
) -> None:
    """Score a model with more and more of its stages at work, and print what each costs."""
    from headway.data.formats.reading import read
    from headway.stages.parsing.parser import load
    from headway.training.validation.stage_costs import SHOWN, stage_costs

    if said := [name.removeprefix("as_") for name, value in others.items() if value and name not in ("trials", "seed")]:
        raise click.UsageError(f"--{said[0]} does not go with --stages; leave it out")
    reader = read(gold, format=format, columns=columns, on_error=on_error)
    rows = stage_costs(load(model), reader)
    say_skipped(reader)
    if as_json:
        import json

        click.echo(json.dumps([row.to_dict() for row in rows], ensure_ascii=False, indent=2))
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


def _write_page(result: EvaluationReport, path: str) -> None:
    from headway.base.files import write_text
    from headway.evaluation.page import report_page
    from headway.show.reports.html import html

    write_text(path, html(report_page(result)))


def _print(result: EvaluationReport, parts: Sequence[str]) -> None:
    from headway.evaluation.score_tables import confidence_tables, heading, score_table, significance_table
    from headway.evaluation.tables import part_table

    for line in heading(result):
        click.echo(line)
    _print_table(score_table(result))
    if result.pairs:
        _print_table(significance_table(result), titled=True)
    for table in confidence_tables(result):
        _print_table(table, titled=True)
    for part in parts:
        for table in part_table(result, part, LISTED):
            _print_table(table, titled=True)


def _print_table(table: Table, titled: bool = False) -> None:
    click.echo(f"\n{table.title}" if titled else "")
    print_table(table.header, table.rows, names=table.names)
    for note in table.notes:
        click.echo(note)
