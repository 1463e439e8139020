"""`headway train`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headway.cli.common import PARTIAL, command_of, progress_bar, say, say_skipped
from headway.cli.options import Grouped, WordParameter, derive, given_options
from headway.cli.shared_options import parser_family, reading
from headway.cli.training_options import groups
from headway.training.families import EARLIER, PARSER, family_of
from headway.training.run_options import RunOptions

if TYPE_CHECKING:
    from rich.progress import Progress

    from headway.data.formats.reading import Reader
    from headway.data.sources import File, Source
    from headway.stages.parsing.parser import Parser
    from headway.training.loop import TrainingLoop


@command_of(Grouped)
@click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
@click.option("-o", "--output", required=True, metavar="MODEL", help="Model file to write.")
@click.option(
    "--dev",
    metavar="FILE",
    help="Development treebank: stop when its LAS no longer grows, and keep the best parser.",
)
@click.option("--weights", metavar="A,B,…", help="How much each treebank counts, as in 1,0.5; all alike by default.")
@parser_family
@click.option(
    "--stage",
    type=WordParameter(EARLIER),
    metavar="NAME",
    help=f"Train this stage of a pipeline instead of a parser: {', '.join(EARLIER)}.",
)
@click.option(
    "--continue",
    "begun",
    metavar="MODEL",
    help="Continue from a model trained with --updatable: one more pass, over new treebanks. A boosted parser keeps no"
    " state; the new weights are the mean of its own and of those it learns now.",
)
@click.option("--licence", help="Licence to write into the model.")
@click.option("--force", is_flag=True, help="Overwrite MODEL even if it is a file of another kind.")
@reading
def command(
    treebanks: tuple[str, ...],
    output: str,
    dev: str | None,
    weights: str | None,
    parser: str,
    stage: str | None,
    begun: str | None,
    licence: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Train a parser on one treebank or several.

    \b
    Example: headway train train.conllu --dev dev.conllu -o english.headway

    Ctrl-C leaves MODEL as it was and writes the best parser so far to MODEL.partial. To continue after the last pass,
    give the same command again; to start over, add --restart. MODEL.checkpoint is removed when MODEL is complete.
    """  # noqa: D301 (click knows the backspace)
    from headway.data.formats.reading import read
    from headway.training.train import loops_for

    how = {name: options.pop(name) for name in ("format", "columns", "on_error")}
    readers = [read(path, **how) for path in treebanks]
    judge = None if dev is None else read(dev, **how)
    family = _family(parser, stage)
    given = given_options(options, family_of(family), RunOptions)
    source = _weighted(readers, weights)
    if begun is not None:
        others = {"dev": dev, "licence": licence, "parser": None if parser == PARSER else parser, "stage": stage}
        _continue(begun, source, output, {**given, **{name: one for name, one in others.items() if one}}, force)
        return
    with _overall() as bar:
        given |= {"dev": judge, "output": output, "force": force, "parser": family}
        loops = bar.run(loops_for(source, told=bar.on_progress, **given))
    if bar.interrupted:
        _stop(loops, output, licence)
    for reader in readers:
        say_skipped(reader)
    best = _parser(loops, licence)
    best.save(output)
    _clean_up(loops, output)
    size = Path(output).stat().st_size / 2**20
    say(f"{output}: the {_what(loops[-1])} of {_last_step(loops[-1])}, {size:.1f} MiB")


derive(command, groups(own=("output", "dev", "parser", "stage")))


def _family(parser: str, stage: str | None) -> str:
    """The family to train: of parsers, or of a stage before them."""
    if parser in EARLIER:
        raise click.UsageError(f"--parser {parser}: expected a family of parsers; write --stage {parser}")
    if stage is None:
        return parser
    if stage not in EARLIER:
        raise click.UsageError(f"--stage {stage}: expected one of {', '.join(EARLIER)}; --parser takes the parsers")
    if parser != PARSER:
        raise click.UsageError("--parser and --stage exclude each other; give one of them")
    return stage


def _weighted(readers: list[Reader], weights: str | None) -> Source:
    """The treebanks with how much each counts."""
    from headway.base.errors import counted

    if weights is None:
        return readers[0] if len(readers) == 1 else readers
    words = weights.split(",")
    if len(words) != len(readers):
        numbers, treebanks = counted(len(words), "number"), counted(len(readers), "treebank")
        raise click.UsageError(f"--weights has {numbers} for {treebanks}; give one for each")
    try:
        weighted: dict[File, float] = dict(zip(readers, map(float, words), strict=True))
        return weighted
    except ValueError:
        raise click.UsageError(f"--weights {weights}: these are not all numbers; write them as in 1,0.5") from None


def _continue(begun: str, source: Source, output: str, given: dict[str, Any], force: bool) -> None:
    """Go on from a model."""
    from headway.base.errors import counted
    from headway.base.files import assure_apart
    from headway.stages.model_file import assure_savable
    from headway.stages.parsing.parser import load
    from headway.training.train import continue_training

    possible = {"passes", "shuffle", "seed"}
    if others := sorted(set(given) - possible):
        raise click.UsageError(
            f"--continue takes --passes, --shuffle and --seed; leave --{others[0].replace('_', '-')} out"
        )
    assure_apart(output, [begun], force=force)
    assure_savable(output, force=force)
    parser = continue_training(load(begun), source, **given)
    parser.save(output)
    size = Path(output).stat().st_size / 2**20
    about = parser.about
    done = [
        counted(about[name], what) for name, what in (("passes", "pass"), ("sentences", "sentence")) if name in about
    ]
    after = f"{', '.join(done)} in all" if done else "more training"
    say(f"{output}: the parser after {after}, {size:.1f} MiB")


class _TrainingBar:
    """The progress of all stages, and the time that is left for all of them."""

    def __init__(self, bar: Progress) -> None:
        self.bar, self.interrupted = bar, False
        self.task = bar.add_task("", total=1.0, what="")

    def on_progress(self, what: str, share: float) -> None:
        self.bar.update(self.task, completed=share, what=what)

    def run(self, loops: Iterator[TrainingLoop]) -> list[TrainingLoop]:
        """Train one stage after the other; those that were begun, until the end or an interruption."""
        begun: list[TrainingLoop] = []
        try:
            for loop in loops:
                begun.append(loop)
                self._run(loop)
        except KeyboardInterrupt:
            self.interrupted = True
        return begun

    def _run(self, loop: TrainingLoop) -> None:
        planned = loop.training.planned
        shown = f"at most {planned}" if loop.dev is not None else f"{planned}"
        number_of, stages = loop.place
        stage = f"stage {number_of} of {stages}: {loop.options.title}, " if stages > 1 else ""
        if stage:
            say(stage.removesuffix(", "), self.bar.console)

        def on_step(number: int, share: float) -> None:
            loop.told((number - 1 + share) / planned)
            self.bar.update(self.task, what=f"{stage}{loop.unit} {number} of {shown}")

        loop.heard = on_step
        for done in loop:
            say(str(done), self.bar.console)
        loop.told(1.0)


@contextmanager
def _overall() -> Iterator[_TrainingBar]:
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.fields[what]}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    with progress_bar(*columns, TimeRemainingColumn()) as bar:
        yield _TrainingBar(bar)


def _what(loop: TrainingLoop) -> str:
    """What was learned, for people."""
    return "pipeline, its last stage" if loop.before or loop.after else "parser"


def _last_step(loop: TrainingLoop) -> str:
    """The step that a stage is of: `pass 3`."""
    assert loop.best is not None
    return f"{loop.unit} {loop.best.about['passes']}"


def _parser(loops: list[TrainingLoop], licence: str | None) -> Parser:
    from headway.training.train import parser_of

    best = parser_of(loops[-1])
    return best.with_about(licence=licence) if licence else best


def _stop(loops: list[TrainingLoop], output: str, licence: str | None) -> NoReturn:
    """Write what an interrupted training has learned, but not over the model, and say how it goes on."""
    if not loops:
        click.echo("interrupted; nothing was learned yet", err=True)
        click.get_current_context().exit(130)
    loop = loops[-1]
    what = "there is nothing to keep yet"
    if not loop.is_last and loop.best is not None:
        what = f"the {loop.options.title} is learned"
    if loop.is_last and loop.best is not None:
        best = _parser(loops, licence)
        best.save(f"{output}{PARTIAL}")
        what = f"{output}{PARTIAL} is the parser of {_last_step(loop)}"
    how = "starts over"
    if done := [one.options.title for one in loops[:-1]]:
        what = what if loop.best is not None else f"kept: {', '.join(done)}"
        how = f"goes on with the {loop.options.title}"
    if loop.kept:
        how = f"goes on after {loop.unit} {loop.kept}, from {loop.checkpoint}"
    click.echo(f"interrupted; {what}, and the same command {how}", err=True)
    click.get_current_context().exit(130)


def _clean_up(loops: list[TrainingLoop], output: str) -> None:
    """Remove what earlier runs have left for this one; the model is there."""
    from headway.stages.model_file import is_model

    for loop in loops:
        loop.discard()
    if is_model(f"{output}{PARTIAL}"):
        Path(f"{output}{PARTIAL}").unlink()
