"""`headway train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import command_of, progress_bar, reading, say_skipped
from headway.cli.options import Grouped, WordParameter, derive, read_as, said
from headway.cli.training_options import groups
from headway.families import FAMILIES, PARSER
from headway.how_to_train import HowToTrain

if TYPE_CHECKING:
    from headway.data import File, Source
    from headway.formats.reading import Reader
    from headway.parser import Parser
    from headway.training.loop import TrainingLoop


@command_of(Grouped)
@click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
@click.option("-o", "--output", required=True, metavar="MODEL", help="Model file to write.")
@click.option(
    "--dev",
    metavar="FILE",
    help="Development treebank: stop when its LAS no longer grows, and keep the best parser.",
)
@click.option("--weights", metavar="A,B,…", help="How much each treebank counts, as in 1,0.5; all the same by default.")
@click.option(
    "--parser",
    type=WordParameter(FAMILIES),
    metavar="NAME",
    default=PARSER,
    show_default=True,
    help=f"Family of the parser: {', '.join(FAMILIES)}.",
)
@click.option("--licence", help="Licence of the model, written into it.")
@reading
def command(
    treebanks: tuple[str, ...],
    output: str,
    dev: str | None,
    weights: str | None,
    parser: str,
    licence: str | None,
    format: str | None,
    columns: str,
    on_error: str,
    **options: Any,
) -> None:
    """Learn a parser from a treebank, or from several.

    \b
    Example: headway train train.conllu --dev dev.conllu -o english.headway

    Ctrl-C writes the best parser so far. To continue an interrupted training, give the same command again.
    """  # noqa: D301 (click knows the backspace)
    from headway.formats.reading import read
    from headway.learn import loops_for
    from headway.model import assure_savable
    from headway.parser import Parser

    assure_savable(output)
    readers = [read(path, format=format, columns=columns, on_error=on_error) for path in treebanks]
    judge = None if dev is None else read(dev, format=format, columns=columns, on_error=on_error)
    given = said(click.get_current_context(), options)
    given = read_as(HowToTrain, read_as(FAMILIES[parser], given))
    stages, interrupted, unit = [], False, ""
    for loop in loops_for(_weighted(readers, weights), dev=judge, output=output, parser=parser, **given):
        interrupted, unit = _run(loop), loop.unit
        if interrupted and (loop.best is None or not loop.is_last):
            click.echo("interrupted before there was anything to keep; nothing was written", err=True)
            click.get_current_context().exit(130)
        assert loop.best is not None
        stages.append(loop.best)
    for reader in readers:
        say_skipped(reader)
    best = Parser(stages)
    best = best.with_about(licence=licence) if licence else best
    best.save(output)
    _say(best, unit, output, interrupted)


derive(command, groups(own=("output", "dev", "parser")))


def _weighted(readers: list[Reader], weights: str | None) -> Source:
    """The treebanks with how much each counts."""
    if weights is None:
        return readers[0] if len(readers) == 1 else readers
    words = weights.split(",")
    if len(words) != len(readers):
        raise click.UsageError(f"--weights has {len(words)} numbers for {len(readers)} treebanks; give one for each")
    try:
        weighted: dict[File, float] = dict(zip(readers, map(float, words), strict=True))
        return weighted
    except ValueError:
        raise click.UsageError(f"--weights {weights}: these are not all numbers; write them as in 1,0.5") from None


def _run(loop: TrainingLoop) -> bool:
    """Train with a progress bar; whether the user interrupted it."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    planned = loop.training.planned
    shown = f"at most {planned}" if loop.dev is not None else f"{planned}"
    bar = progress_bar(
        *(TextColumn(f"{loop.unit} {{task.fields[number]}} of {shown}"), BarColumn()),
        *(TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn()),
    )
    with bar:
        task = bar.add_task("", total=planned, number=1)
        loop.heard = lambda number, share: bar.update(task, completed=number - 1 + share, number=number)
        try:
            for done in loop:
                bar.console.print(str(done))
        except KeyboardInterrupt:
            return True
    return False


def _say(best: Parser, unit: str, output: str, interrupted: bool) -> None:
    from pathlib import Path

    what = "interrupted; " if interrupted else ""
    size = Path(output).stat().st_size / 2**20
    click.echo(f"{what}{output}: the parser of {unit} {best.about['passes']}, {size:.1f} MiB", err=True)
