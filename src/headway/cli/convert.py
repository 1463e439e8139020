"""`headway convert`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command, say_skipped
from headway.cli.shared_options import FILE_OR_STDOUT, FORCE, reading, to


@headway_command
@click.argument("source", default="-")
@FILE_OR_STDOUT
@to("what the output's name says, or the format of the input")
@click.option(
    "--rules",
    default="english",
    show_default=True,
    metavar="NAME|FILE",
    help="Head rules for Penn-style brackets: english, chinese, or a file of rules.",
)
@FORCE
@reading
def command(source: str, output: str, target: str | None, rules: str, force: bool, **how: Any) -> None:
    """Convert a treebank to another format, and say what is lost.

    SOURCE is a file, or `-` for standard input. Penn-style brackets become dependencies by head rules.
    """
    from headway.base.files import assure_apart
    from headway.data.formats.reading import read
    from headway.data.formats.writing import convert, describe_losses

    assure_apart(output, [source, rules], force=force)
    reader = read(source, rules=rules, **how)
    describe_losses(convert(reader, output, target), reader)
    say_skipped(reader)
