"""`headway select`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command, say, say_skipped
from headway.cli.shared_options import FORCE_PARSING, INPUT, reading, whole


@headway_command
@click.argument("model")
@click.argument("source", metavar="UNLABELLED")
@whole("-n", "count", default=50, help="How many sentences.")
@click.option(
    "--known", metavar="TREEBANK", help="Treebank annotated already; sentences like those in it are less useful."
)
@INPUT
@click.option("-o", "--output", default="-", metavar="FILE", help="File to write; standard output by default.")
@FORCE_PARSING
@reading
def command(
    model: str,
    source: str,
    count: int,
    known: str | None,
    output: str,
    force: bool,
    **how: Any,
) -> None:
    """Choose the sentences whose annotation teaches a model most.

    UNLABELLED is text, words or a treebank without trees, as for `headway parse`. Chooses the sentences that remove
    most errors per word annotated, in the sentence itself and in others like it, and writes them with the trees that
    the model gives them, the best choice first. Correct these by hand and train again.

    \b
    Example: headway select en.headway new.txt --known en.conllu -o next.conllu
    """  # noqa: D301 (click knows the backspace)
    from headway.base.errors import counted
    from headway.base.files import assure_apart, replacing
    from headway.data.formats.reading import InputReader
    from headway.stages.parsing.loading import load
    from headway.training.active_learning import select

    assure_apart(output, [source, model, *([] if known is None else [known])], force=force)
    reader = InputReader(source, **how)
    chosen = select(load(model), reader, count, known=known, force=force)
    with replacing(output) as stream:
        for one in chosen:
            batch, index = one.sentence.batch, one.sentence.index
            stream.write(batch.render(batch.format, index, index + 1))
    words, errors = sum(len(one.sentence) for one in chosen), sum(one.errors for one in chosen)
    found = f"{counted(len(chosen), 'sentence')}, {counted(words, 'word')}"
    say(f"{found}, about {counted(round(errors), 'error')} to be corrected")
    say_skipped(reader)
