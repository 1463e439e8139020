"""`headway evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from headway.cli.common import COLUMN_CHOICES, FORMAT_NAMES, ON_ERROR, print_table, say_skipped
from headway.cli.common import command as headway_command

if TYPE_CHECKING:
    from headway.evaluation.report import EvaluationReport
    from headway.reports.table import Table

LISTED = 20
"""How many rows of a list are printed."""


@headway_command
@click.argument("gold")
@click.argument("system")
@click.argument("system2", required=False)
@click.option(
    "--definition",
    type=click.Choice(["ud", "conllx", "all"]),
    help="What counts as right; by default ud for CoNLL-U, conllx for other gold formats.",
)
@click.option(
    "--punctuation/--no-punctuation",
    default=None,
    help="Whether words made only of punctuation count; conllx leaves them out, all and ud count them.",
)
@click.option(
    "--by",
    default="",
    metavar="NAMES",
    help="Breakdowns to print, with commas between: label, upos, xpos, length, exact-length, distance, "
    "direction, depth, sentence-length, projectivity, confusions, errors; or all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", metavar="FILE", help="Write a page with every breakdown and plots.")
@click.option("--trials", default=10_000, show_default=True, help="How many times the significance tests draw.")
@click.option("--seed", default=1, show_default=True, help="Random seed of the significance tests.")
@click.option(
    *("--from", "format"),
    type=click.Choice([*FORMAT_NAMES, "penn"]),
    help="Format of the files; found from their content where not given.",
)
@click.option(
    "--columns",
    type=click.Choice(COLUMN_CHOICES),
    default="gold",
    show_default=True,
    help="Which columns of CoNLL-2008 and -2009 to take from the systems' files.",
)
@ON_ERROR
def command(
    gold: str,
    system: str,
    system2: str | None,
    definition: str | None,
    punctuation: bool | None,
    by: str,
    as_json: bool,
    html: str | None,
    trials: int,
    seed: int,
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Compare a parser's output with a gold file.

    With a second SYSTEM2, say whether the difference between the two means anything: p-values by paired
    bootstrap, approximate randomisation and McNemar's test. `-` is standard input.

    \b
    ud      as the CoNLL 2018 UD scorer: all words, labels without subtypes,
            words aligned by their characters, so tokens may differ
    conllx  as the CoNLL-X eval.pl: without punctuation, whole labels
    all     all words, whole labels

    The tables of --by ask for the right head and label. Those of eval.pl about direction and distance count words
    whose head stands on the right side, or as far away, and have other numbers, also under conllx.

    With --on-error skip a sentence that cannot be read in one of the files is left out of all.
    """  # noqa: D301 (click knows the backspace)
    from headway.errors import HeadwayError
    from headway.evaluation.report import parts_named, report
    from headway.files import STANDARD, assure_writable, replacing
    from headway.formats.reading import read

    parts = parts_named(by)
    systems = [path for path in (system, system2) if path is not None]
    if [gold, *systems].count(STANDARD) > 1:
        raise HeadwayError("only one of the files can be '-', standard input; name the others")
    if html:
        assure_writable(html)
    readers = [read(gold, format=format, on_error=on_error)]
    readers += [read(path, format=format, columns=columns, on_error=on_error) for path in systems]
    result = report(
        *readers,
        definition=definition,
        punctuation=punctuation,
        trials=trials,
        seed=seed,
    )
    for reader in readers:
        say_skipped(reader)
    if html:
        from headway.evaluation.page import report_page
        from headway.reports.html import html as page_text

        with replacing(html) as stream:
            stream.write(page_text(report_page(result)).encode())
    if as_json:
        import json

        click.echo(json.dumps(result.to_dict(parts), ensure_ascii=False, indent=2))
    elif html != STANDARD:
        _print(result, parts)


def _print(result: EvaluationReport, parts: tuple[str, ...]) -> None:
    from headway.evaluation.tables import heading, part_table, score_table, significance_table

    for line in heading(result):
        click.echo(line)
    _print_table(score_table(result))
    if result.significance:
        _print_table(significance_table(result), titled=True)
    for part in parts:
        for table in part_table(result, part, LISTED):
            _print_table(table, titled=True)


def _print_table(table: Table, titled: bool = False) -> None:
    click.echo(f"\n{table.title}" if titled else "")
    print_table(table.header, table.rows, names=table.names)
