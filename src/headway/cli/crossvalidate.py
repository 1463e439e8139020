"""`headway crossvalidate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli import headway_command, interrupted, say, say_skipped
from headway.cli.options import derive, given_options
from headway.cli.printing import print_json, print_table, progress_bar
from headway.cli.shared_options import DEFINITION, FORCE, JSON, PUNCTUATION, jobs, reading, whole
from headway.cli.training_options import PARSER_FAMILY, training_groups
from headway.training.families import FAMILIES
from headway.training.options import RunOptions

if TYPE_CHECKING:
    from headway.runs.engines import Engine
    from headway.training.cross_validate import CrossValidation, Folds


@headway_command
@click.argument("treebank")
@whole("--folds", low=2, default=10, metavar="K", help="How many parts to make.")
@click.option("-o", "--output", metavar="FILE", help="Write the parses of all sentences to this file.")
@click.option(
    "--dev",
    metavar="FILE",
    help="Development treebank: stop each training when its LAS no longer grows.",
)
@jobs("parts to train")
@PARSER_FAMILY
@DEFINITION
@PUNCTUATION
@JSON
@FORCE
@reading
def command(
    treebank: str,
    folds: int,
    output: str | None,
    dev: str | None,
    jobs: int | None,
    parser: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Estimate from one treebank how good a parser will be.

    Cuts the treebank into K parts, parses each of them with a parser trained on the others, and prints the scores
    of each part, their mean and their standard deviation.

    \b
    Example: headway crossvalidate treebank.conllu --folds 5 --learner cw

    With -o, Ctrl-C keeps the parts that are done; the same command continues with the others.
    """  # noqa: D301 (click knows the backspace)
    from headway.data.formats.reading import read
    from headway.runs.engines import engine_from
    from headway.training.cross_validate import Folds

    how = {name: options.pop(name) for name in ("format", "columns", "on_error")}
    reader = read(treebank, **how)
    given = given_options(options, FAMILIES[parser], RunOptions)
    judge = None if dev is None else read(dev, **how)
    run = Folds(reader, folds=folds, dev=judge, output=output, parser=parser, **given)
    say_skipped(reader)
    try:
        _run(run, engine_from(None, jobs))
    except KeyboardInterrupt:
        left = "; the same command goes on with the others" if output and run.parsed else ""
        interrupted(f"; {len(run.parsed)} of {folds} folds are done{left}")
    result = run.result()
    if as_json:
        print_json(result.to_dict())
    else:
        _print(result)


derive(command, training_groups(own=("folds", "output", "dev", "jobs", "parser"), without=("folds",)))


def _run(run: Folds, engine: Engine) -> None:
    """Go through the folds with a progress bar."""
    with progress_bar("folds", "bar", "count", "elapsed", "remaining") as bar:
        task = bar.add_task("", total=run.folds)
        for one, seconds in run.run(engine):
            took = f"{seconds:6.1f} s" if seconds else "done before"
            scores = "  ".join(f"{name} {100 * one.scores[name].f1:5.2f}" for name in ("LAS", "UAS"))
            line = f"fold {one.number:2} of {run.folds}  {scores} ({one.scores.definition.name})  {took}"
            say(line, bar.console)
            bar.advance(task)


def _print(result: CrossValidation) -> None:
    names = result.metrics
    click.echo(f"definition: {result.together.definition}\n")
    rows = [
        (f"fold {one.number}", f"{one.sentences:,}", f"{one.words:,}", *(str(one.scores[name]) for name in names))
        for one in result.folds
    ]
    rows.append(("mean", "", "", *(f"{result.mean(name):.2f}" for name in names)))
    rows.append(("standard deviation", "", "", *(f"{result.spread(name):.2f}" for name in names)))
    sentences, words = (sum(getattr(one, what) for one in result.folds) for what in ("sentences", "words"))
    rows.append(("all sentences", f"{sentences:,}", f"{words:,}", *(str(result.together[name]) for name in names)))
    print_table(("", "sentences", "words", *names), rows)
