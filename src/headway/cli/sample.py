"""`headway sample`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from headway.cli import headway_command
from headway.cli.shared_options import FILE_OR_STDOUT, FORMAT_NAMES, Function


def _share(name: str, default: float, help: str) -> Callable[[Function], Function]:
    """An option that is a number from 0 to 1."""
    return click.option(name, type=float, metavar="0…1", default=default, show_default=True, help=help)


@headway_command
@FILE_OR_STDOUT
@click.option("-n", "--sentences", type=int, metavar="N", help="How many sentences; 1000 by default.")
@click.option("--tokens", type=int, metavar="N", help="Stop with the sentence that reaches this many words.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Random seed.")
@_share("--nonprojective", 0.1, "Share of sentences with crossing arcs.")
@click.option("--labels", type=int, metavar="N", help="How many labels; those of the grammar by default.")
@_share("--vocabulary", 0.15, "Share of invented words among nouns, names, verbs, adjectives, adverbs and numerals.")
@_share("--empty-nodes", 0.0, "Share of sentences with an empty node; above 0, DEPS is filled.")
@_share(
    "--difficulties",
    0.3,
    "Share of places that are as hard as in real text: abbreviations, initials, figures, clitics, missing full stops.",
)
@click.option(
    *("--to", "format"),
    type=click.Choice([*FORMAT_NAMES, "penn"]),
    help="Format of the output, penn for trees in brackets; by default what the output's name says, or CoNLL-U.",
)
def command(output: str, format: str | None, **options: Any) -> None:
    """Write a treebank of any size, generated from a grammar.

    The sentences look like English and have an unbounded vocabulary; use them to try things out. The same options give
    the same bytes everywhere, and a longer sample begins like a shorter one.
    """
    from headway.data.sample import Sample

    if options["sentences"] is options["tokens"] is None:
        options["sentences"] = 1000
    Sample(**options).write(output, format=format)
