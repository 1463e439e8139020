"""`headway select`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli.common import FORCE, reading, say_skipped
from headway.cli.common import command as headway_command


@headway_command
@click.argument("model")
@click.argument("source", metavar="UNLABELLED")
@click.option("-n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="How many sentences.")
@click.option("-o", "--output", default="-", metavar="FILE", help="File to write; standard output by default.")
@FORCE
@reading
def command(model: str, source: str, count: int, output: str, force: bool, **how: Any) -> None:
    """Choose the sentences whose annotation teaches a model most.

    Writes them with the trees that the model gives them, the most instructive first, to be corrected by hand. What
    counts are the errors to be expected in a sentence for each word of work, and that it is not like those chosen
    before.

    \b
    Example: headway select english.headway new.conllu -n 100 -o next.conllu
    """  # noqa: D301 (click knows the backspace)
    from headway.files import assure_apart, replacing
    from headway.formats.reading import read
    from headway.parser import load
    from headway.selection import select

    assure_apart(output, [source, model], force=force)
    reader = read(source, **how)
    chosen = select(load(model), reader, count)
    with replacing(output) as stream:
        for one in chosen:
            stream.write(
                one.sentence.batch.render(one.sentence.batch.format, one.sentence.index, one.sentence.index + 1)
            )
    words, errors = sum(len(one.sentence) for one in chosen), sum(one.errors for one in chosen)
    click.echo(f"{len(chosen):,} sentences, {words:,} words, about {errors:,.0f} errors to be corrected", err=True)
    say_skipped(reader)
