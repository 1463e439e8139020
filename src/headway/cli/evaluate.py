"""`headway evaluate`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli.common import headway_command
from headway.cli.scoring import score, score_stages, scoring


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
    UAS   words with the right head; DA with punctuation in any case
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
