"""`headway train`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headway.cli import PARTIAL, headway_command, interrupted, say, say_skipped
from headway.cli.options import WordParameter, derive, given_options
from headway.cli.printing import progress_bar
from headway.cli.shared_options import reading
from headway.cli.training_options import PARSER_FAMILY, training_groups
from headway.training.families import EARLIER, PARSER, family_of
from headway.training.options import RunOptions

if TYPE_CHECKING:
    from headway.data.formats.reading import Reader
    from headway.data.sources import File, Source
    from headway.stages.parsing.parser import Parser
    from headway.training.loop import Step, TrainingLoop
    from headway.training.train_stages import StageTraining


@headway_command
@click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
@click.option("-o", "--output", required=True, metavar="MODEL", help="Model file to write.")
@click.option(
    "--dev",
    metavar="FILE",
    help="Development treebank: stop when its LAS no longer grows, and keep the best parser.",
)
@click.option("--weights", metavar="A,B,…", help="Weight of each treebank, as in 1,0.5; by default all weigh the same.")
@PARSER_FAMILY
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
    help="Continue from a model, with all its stages: one more pass, over new treebanks. Transition and graph parsers"
    " must be trained with --updatable. A boosted parser keeps no state; its new weights are the mean of the old ones"
    " and of those learned now. Other stages learn where they are wrong.",
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
    from headway.training.train import train_row

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
    with _training_bar() as bar:
        is_interrupted = True
        with suppress(KeyboardInterrupt):
            train_row(source, dev=judge, output=output, force=force, parser=family, observer=bar, **given)
            is_interrupted = False
    if is_interrupted:
        _stop(bar.begun, output, licence)
    for reader in readers:
        say_skipped(reader)
    last = bar.begun[-1]
    _parser(last, licence).save(output)
    _clean_up(bar.begun, output)
    what = "pipeline, its last stage" if last.before else "parser"
    say(f"{output}: the {what} of {_last_step(last.loop)}, {_size(output)}")


derive(command, training_groups(own=("output", "dev", "parser", "stage")))


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
    from headway.stages.parsing.loading import load
    from headway.training.train import continue_training

    if others := sorted(set(given) - {"passes", "shuffle", "seed"}):
        what = others[0].replace("_", "-")
        raise click.UsageError(f"--continue takes --passes, --shuffle and --seed; leave --{what} out")
    assure_apart(output, [begun], force=force)
    assure_savable(output, force=force)
    parser = continue_training(load(begun), source, **given)
    parser.save(output)
    things = (("passes", "pass"), ("sentences", "sentence"))
    done = [counted(parser.about[name], what) for name, what in things if name in parser.about]
    after = f"{', '.join(done)} in all" if done else "more training"
    what = "pipeline" if len(parser.stages) > 1 else "parser"
    say(f"{output}: the {what} after {after}, {_size(output)}")


def _size(path: str) -> str:
    return f"{Path(path).stat().st_size / 2**20:.1f} MiB"


@contextmanager
def _training_bar() -> Iterator[Any]:
    """An observer that shows steps, the progress of all stages, and the time left; `begun` lists the stages."""
    from headway.training.train_stages import Observer

    class TrainingBar(Observer):
        begun: list[StageTraining] = []  # noqa: RUF012 (there is one bar)

        def on_stage(self, stage: StageTraining) -> None:
            self.begun.append(stage)
            if stage.title:
                say(stage.title, bar.console)

        def on_progress(self, what: str, share: float) -> None:
            bar.update(task, completed=share, what=what)

        def on_step(self, stage: StageTraining, step: Step) -> None:
            say(str(step), bar.console)

    with progress_bar("{task.fields[what]}", "bar", "{task.percentage:.0f} %", "remaining") as bar:
        task = bar.add_task("", total=1.0, what="")
        yield TrainingBar()


def _last_step(loop: TrainingLoop) -> str:
    """The step that a stage is of: `pass 3`."""
    assert loop.best is not None
    return f"{loop.unit} {loop.best.about['passes']}"


def _parser(last: StageTraining, licence: str | None) -> Parser:
    return last.parser.with_about(licence=licence) if licence else last.parser


def _stop(stages: list[StageTraining], output: str, licence: str | None) -> NoReturn:
    """Write what an interrupted training has learned, but not over the model, and say how to continue."""
    if not stages:
        interrupted("; nothing was learned yet")
    stage, loop = stages[-1], stages[-1].loop
    what = "there is nothing to keep yet"
    if not stage.is_last and loop.best is not None:
        what = f"the {loop.options.title} is learned"
    if stage.is_last and loop.best is not None:
        _parser(stage, licence).save(f"{output}{PARTIAL}")
        what = f"{output}{PARTIAL} is the parser of {_last_step(loop)}"
    how = "starts over"
    if done := [one.loop.options.title for one in stages[:-1]]:
        what = what if loop.best is not None else f"kept: {', '.join(done)}"
        how = f"goes on with the {loop.options.title}"
    if loop.kept:
        how = f"goes on after {loop.unit} {loop.kept}, from {loop.checkpoint}"
    interrupted(f"; {what}, and the same command {how}")


def _clean_up(stages: list[StageTraining], output: str) -> None:
    """Remove what earlier runs have left for this one; the model is there."""
    from headway.stages.model_file import is_model

    for stage in stages:
        stage.files.remove()
    if is_model(f"{output}{PARTIAL}"):
        Path(f"{output}{PARTIAL}").unlink()
