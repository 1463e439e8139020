"""`headway sample`."""

from __future__ import annotations

import click

from headway.cli.common import FORMAT_NAMES
from headway.cli.common import command as headway_command


@headway_command
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="File to write, .gz and .xz too; standard output by default."
)
@click.option("-n", "--sentences", type=int, metavar="N", help="How many sentences; 1000 by default.")
@click.option("--tokens", type=int, metavar="N", help="Stop with the sentence that reaches this many words.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Random seed.")
@click.option(
    "--nonprojective",
    type=float,
    metavar="0…1",
    default=0.1,
    show_default=True,
    help="Share of sentences with crossing arcs.",
)
@click.option("--labels", type=int, metavar="N", help="How many labels; the grammar's own by default.")
@click.option(
    "--vocabulary",
    type=float,
    metavar="0…1",
    default=0.15,
    show_default=True,
    help="Share of invented words among nouns, names, verbs, adjectives, adverbs and numerals.",
)
@click.option(
    "--empty-nodes",
    type=float,
    metavar="0…1",
    default=0.0,
    show_default=True,
    help="Share of sentences with an empty node; above 0, DEPS is filled.",
)
@click.option(
    "--difficulties",
    type=float,
    metavar="0…1",
    default=0.3,
    show_default=True,
    help="Share of places written as text often is: abbreviations, initials, figures, clitics, missing stops.",
)
@click.option(
    *("--to", "format"),
    type=click.Choice([*FORMAT_NAMES, "penn"]),
    help="Format of the output, penn for trees in brackets; by default what the output's name says, or CoNLL-U.",
)
def command(
    output: str,
    sentences: int | None,
    tokens: int | None,
    seed: int,
    nonprojective: float,
    labels: int | None,
    vocabulary: float,
    empty_nodes: float,
    difficulties: float,
    format: str | None,
) -> None:
    """Write a treebank of any size, generated from a grammar.

    Readable English-like sentences with an unbounded vocabulary, for trying things out. The same options give
    the same bytes everywhere, and a longer sample begins like a shorter one.
    """
    from headway.data.sample import Sample

    sample = Sample(
        sentences=1000 if sentences is None and tokens is None else sentences,
        tokens=tokens,
        seed=seed,
        nonprojective=nonprojective,
        labels=labels,
        vocabulary=vocabulary,
        empty_nodes=empty_nodes,
        difficulties=difficulties,
    )
    sample.write(output, format=format)
