"""`headway compare`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command
from headway.cli.evaluate import score, scoring


@headway_command
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM SYSTEM...")
@click.option(
    "--trials",
    default=10_000,
    show_default=True,
    metavar="N",
    help="How many random draws each significance test makes.",
)
@click.option(
    "--metrics",
    default="LAS,UAS",
    show_default=True,
    metavar="NAMES",
    help="Scores to test, with commas between: any score of the table, such as CLAS, UPOS or Sentences; LAS:nsubj for "
    "the words with a label.",
)
@click.option("--seed", default=1, show_default=True, metavar="N", help="Random seed of the draws.")
@scoring
def command(gold: str, systems: tuple[str, ...], metrics: str, **how: Any) -> None:
    """Compare the output of several parsers with a gold file.

    Lists the scores, the best parser first, and tests for each pair of parsers whether the difference could be
    chance: p-values by paired bootstrap, approximate randomisation and McNemar's test. `-` is standard input.

    \b
    Example: headway compare test.conllu transition.conllu graph.conllu

    `headway evaluate --help` explains the definitions.
    """  # noqa: D301 (click knows the backspace)
    if len(systems) == 1:
        raise click.UsageError(f"give two systems or more; to score one, type headway evaluate {gold} {systems[0]}")
    score(gold, systems, metrics=[name.strip() for name in metrics.split(",") if name.strip()], **how)
