"""`headway split`."""

from __future__ import annotations

import click

from headway.cli.common import command as headway_command
from headway.cli.common import is_quiet, reading, say_skipped


@headway_command
@click.argument("treebank")
@click.option("--every", type=int, metavar="N", help="Hold out every N-th sentence.")
@click.option("--folds", type=int, metavar="K", help="Deal the sentences out to K parts of the same size.")
@click.option("--proportions", metavar="A,B,…", help="Parts of these sizes, as in 80,10,10 or 0.9,0.1.")
@click.option("--rest", is_flag=True, help="With --folds: for each part, also a file of all other sentences.")
@click.option(
    "--shuffle/--no-shuffle",
    default=None,
    help="Draw the sentences of each part at random, or not; by default only for --proportions.",
)
@click.option("--seed", type=int, metavar="N", help="Random seed; 1 by default. Implies --shuffle.")
@click.option(
    *("-o", "--output", "prefix"),
    metavar="PREFIX",
    help="The parts become PREFIX.NAME.SUFFIX; by default they get the treebank's name and go into the folder"
    " where you are. A folder will do.",
)
@click.option("--force", is_flag=True, help="Overwrite parts that are there already.")
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
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Cut a treebank into parts.

    Of train.conllu, `--every 10` makes train.rest.conllu and train.every10.conllu; `--folds 5` makes
    train.fold1.conllu to train.fold5.conllu; `--proportions 80,10,10` makes train.train.conllu,
    train.dev.conllu and train.test.conllu.

    Sentences keep their bytes and their order in each part, also when they are drawn at random. TREEBANK is a
    file, `-` for standard input.
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
    if shuffle or (shuffle is None and proportions is not None):
        seed = 1 if seed is None else seed
    reader = read(treebank, format=format, columns=columns, on_error=on_error)
    for part in split.split(reader, plan, prefix, seed=seed, with_rest=rest, force=force):
        if not is_quiet():
            click.echo(f"{part.path}: {counted(part.sentences, 'sentence')}, {counted(part.words, 'word')}")
    say_skipped(reader)
