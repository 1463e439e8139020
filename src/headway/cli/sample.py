"""`headway sample`."""

from __future__ import annotations

from typing import Any

import click

from headway.base.options import kinds
from headway.cli import headway_command
from headway.cli.options import OptionGroup, derive, entries, given_options
from headway.cli.shared_options import FILE_OR_STDOUT, FORMAT_NAMES, one_of
from headway.data.sample import Sample


@headway_command
@FILE_OR_STDOUT
@click.option("-n", "--sentences", metavar="N", help="How many sentences; 1000 by default.")
@one_of(
    *("--to", "format"),
    choices=(*FORMAT_NAMES, "penn"),
    help="Format of the output, penn for trees in brackets; by default what the output's name says, or CoNLL-U.",
)
def command(output: str, format: str | None, **options: Any) -> None:
    """Write a treebank of any size, generated from a grammar.

    The sentences look like English and have an unbounded vocabulary; use them to try things out. The same options give
    the same bytes everywhere, and a longer sample begins like a shorter one.
    """
    given = given_options(options, Sample)
    if "tokens" in given:
        given = {"sentences": None, **given}
    Sample(**given).write(output, format=format)


derive(command, [OptionGroup("The sentences", entries(Sample, list(kinds(Sample))[1:]), own=("sentences",))])
