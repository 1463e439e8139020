"""`headway parse`."""

from __future__ import annotations

import click

from headway.cli.common import command as headway_command
from headway.cli.common import reading, say_skipped


@headway_command
@click.argument("model")
@click.argument("sources", nargs=-1, metavar="[FILES]...")
@click.option(
    *("-o", "--output"),
    default="-",
    help="File to write, or a folder with a / at its end for one file each; standard output by default.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many threads parse at once, each other sentences.",
)
@click.option(
    "--longest",
    type=click.IntRange(10, 20_000),
    metavar="WORDS",
    help="Parse sentences of more words window by window, in linear time. By default graph parsers take 1,000 or 2,000"
    " words as a whole and boosted parsers 500; transition parsers have no limit.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Parse files whose tags the model does not know, and let the output take the place of an input.",
)
@reading
def command(
    model: str,
    sources: tuple[str, ...],
    output: str,
    threads: int,
    longest: int | None,
    force: bool,
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Parse files with a model.

    Reads FILES, or standard input, and writes them in their own format with new heads and labels. Words must be
    tagged as in the treebank that the model was trained on: `headway info MODEL` lists the columns that it needs.
    """
    from headway.formats.reading import read
    from headway.parser import load
    from headway.stream import parse_to

    parser = load(model)
    if longest is not None:
        parser = parser.with_longest(longest)
    readers = [read(source, format=format, columns=columns, on_error=on_error) for source in sources or ("-",)]
    parse_to(parser, readers, output, threads, force=force)
    for reader in readers:
        say_skipped(reader)
