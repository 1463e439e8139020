"""`headway evaluate`; its options, and how scores are printed or written, are also those of `headway compare`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli import headway_command, say_skipped
from headway.cli.printing import print_json, print_table
from headway.cli.shared_options import DEFINITION, FORCE, JSON, PUNCTUATION, reading, with_options

if TYPE_CHECKING:
    from headway.evaluation.report import EvaluationReport
    from headway.show.reports.page import Table

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
    click.option("--latex", "as_latex", is_flag=True, help="Print the tables as LaTeX, for booktabs."),
    click.option("--csv", "as_csv", is_flag=True, help="Print all numbers as CSV, one on each line."),
    click.option("--html", metavar="FILE", help="Write a page with every breakdown and plots."),
    FORCE,
    reading,
)
"""The options of commands that score parses."""


@headway_command
@click.argument("gold")
@click.argument("system", required=False)
@click.argument("others", nargs=-1, metavar="")
@click.option(
    "--stages",
    metavar="MODEL",
    help="Score a model instead of a file: from gold words and tags, from gold words, and from raw text. Shows what"
    " each of its stages costs.",
)
@scoring
def command(gold: str, system: str | None, others: tuple[str, ...], stages: str | None, **how: Any) -> None:
    """Score a parser's output against a gold file.

    `-` is standard input. To compare several parsers, use `headway compare`.

    \b
    LAS   words with the right head and label; CLAS of content words only
    UAS   words with the right head; DA always counts punctuation
    LA    words with the right label
    RA    sentences with the right roots
    UCM   sentences in which all heads are right
    LCM   sentences in which all heads and labels are right

    What counts as right is a definition:

    \b
    ud      as the CoNLL 2018 UD scorer: all words, labels without subtypes,
            words aligned by their characters, so tokens may differ
    conllx  as the CoNLL-X eval.pl: without punctuation, whole labels
    all     all words, whole labels

    The tables of --by count words with the right head and label. The tables of eval.pl for direction and distance
    count words whose head is on the right side, or as far away; their numbers differ, even with conllx.

    --columns applies to the parser's output; of GOLD the gold columns are read. With --on-error skip, a sentence that
    cannot be read in one of the files is left out of all.
    """  # noqa: D301 (click knows the backspace)
    if others:
        raise click.UsageError(
            f"evaluate scores one system; to compare several, type headway compare {gold} {system} {' '.join(others)}"
        )
    if stages is not None:
        if system is not None:
            raise click.UsageError("--stages parses GOLD itself; leave the file of parses out")
        score_stages(stages, gold, **how)
        return
    if system is None:
        raise click.UsageError("there is nothing to score; give a file of parses, or a model with --stages")
    score(gold, [system], **how)


def score(
    gold: str,
    systems: Sequence[str],
    *,
    by: str,
    as_json: bool,
    as_markdown: bool,
    as_latex: bool,
    as_csv: bool,
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
    from headway.evaluation.flat import as_csv as csv_of
    from headway.evaluation.report import parts_named, report
    from headway.evaluation.tables import report_page
    from headway.show.reports.latex import latex
    from headway.show.reports.page import html as html_of
    from headway.show.reports.page import markdown

    parts = parts_named(by)
    assure_one_standard([gold, *systems])
    wanted = {"--json": as_json, "--markdown": as_markdown, "--latex": as_latex, "--csv": as_csv}
    if len(chosen := [name for name, is_wanted in wanted.items() if is_wanted]) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} exclude each other; choose one")
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
    elif as_latex:
        click.echo(latex(report_page(result, parts)), nl=False)
    elif as_csv:
        click.echo(csv_of(result, parts), nl=False)
    elif html != STANDARD:
        _print(result, parts)


def score_stages(model: str, gold: str, *, as_json: bool, **others: Any) -> None:
    """Score a model with more and more of its stages at work, and print what each costs."""
    from headway.data.formats.reading import read
    from headway.stages.parsing.loading import load
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
