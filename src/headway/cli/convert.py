"""`headway convert`."""

from __future__ import annotations

import click

from headway.cli.common import FORCE, FORMAT_NAMES, reading, say_skipped
from headway.cli.common import command as headway_command


@headway_command
@click.argument("source", default="-")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="File to write, .gz and .xz too; standard output by default."
)
@click.option(
    *("--to", "target"),
    type=click.Choice([*FORMAT_NAMES, "text"]),
    help="Format of the output, or text for the raw text of the sentences; by default what the output's name says, or"
    " the input's own.",
)
@click.option(
    "--rules",
    default="english",
    show_default=True,
    metavar="NAME|FILE",
    help="Head rules for Penn-style brackets: english, chinese, or a file of rules.",
)
@FORCE
@reading
def command(
    source: str,
    output: str,
    target: str | None,
    rules: str,
    force: bool,
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Convert a treebank to another format, and say what is lost.

    SOURCE is a file, or `-` for standard input. Penn-style brackets become dependencies by head rules.
    """
    from headway.base.files import assure_apart
    from headway.data.formats.reading import read
    from headway.data.formats.writing import convert, describe_losses

    assure_apart(output, [source, rules], force=force)
    reader = read(source, format=format, columns=columns, on_error=on_error, rules=rules)
    losses = convert(reader, output, target)
    describe_losses(losses, reader)
    say_skipped(reader)
