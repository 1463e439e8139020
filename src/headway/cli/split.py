"""`headway split`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command, is_quiet, say_skipped
from headway.cli.shared_options import reading


@headway_command
@click.argument("treebank")
@click.option("--every", type=int, metavar="N", help="Hold out every N-th sentence.")
@click.option("--folds", type=int, metavar="K", help="Deal the sentences out to K parts of the same size.")
@click.option("--proportions", metavar="A,B,…", help="Parts of these sizes, as in 80,10,10 or 0.9,0.1.")
@click.option("--rest", is_flag=True, help="With --folds: for each part, also write a file of all other sentences.")
@click.option(
    "--shuffle/--no-shuffle",
    default=None,
    help="Draw the sentences of each part at random, or not; by default only for --proportions.",
)
@click.option("--seed", type=int, metavar="N", help="Random seed; 1 by default. Implies --shuffle.")
@click.option(
    *("-o", "--output", "prefix"),
    metavar="PREFIX",
    help="Name the parts PREFIX.NAME.SUFFIX, or give a folder; by default they have the treebank's name and go into the"
    " current folder.",
)
@click.option("--force", is_flag=True, help="Overwrite parts that exist already.")
@reading
def command(
    treebank: str,
    every: int | None,
    folds: int | None,
    proportions: str | None,
    rest: bool,
    shuffle: bool | None,
    seed: int | None,
    prefix: str | None,
    force: bool,
    **how: Any,
) -> None:
    """Cut a treebank into parts.

    `--every 10` cuts train.conllu into train.rest.conllu and train.every10.conllu; `--folds 5` into
    train.fold1.conllu to train.fold5.conllu; `--proportions 80,10,10` into train.train.conllu,
    train.dev.conllu and train.test.conllu.

    Sentences keep their bytes, and their order within each part, even if they are drawn at random. TREEBANK is a
    file, or `-` for standard input.
    """
    from headway.base.errors import counted
    from headway.data import split
    from headway.data.formats.reading import read

    if [every, folds, proportions].count(None) != 2:
        raise click.UsageError("give one of --every, --folds and --proportions")
    if rest and folds is None:
        raise click.UsageError("--rest goes with --folds")
    if shuffle is False and seed is not None:
        raise click.UsageError("--seed has no effect with --no-shuffle")
    if every is not None:
        plan = split.every(every)
    elif folds is not None:
        plan = split.folds(folds)
    else:
        plan = split.proportions((proportions or "").split(","))
    if seed is None and (shuffle or (shuffle is None and proportions is not None)):
        seed = 1
    reader = read(treebank, **how)
    for part in split.split(reader, plan, prefix, seed=seed, with_rest=rest, force=force):
        if not is_quiet():
            click.echo(f"{part.path}: {counted(part.sentences, 'sentence')}, {counted(part.words, 'word')}")
    say_skipped(reader)
