"""`headway discover`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import command as headway_command
from headway.cli.common import encoding, learner_options, progress_bar, reading, say_skipped, seed
from headway.cli.train import LEARNERS

if TYPE_CHECKING:
    from headway.discovery.discover import Discovery
    from headway.discovery.engines import Engine
    from headway.discovery.search import Generation

PAPER = {
    "learner": "kernel-svm",
    "options": ("C=0.4", "gamma=0.2", "tolerance=0.1", "split=None"),
    "pairs": False,
    "race": False,
}
"""The learner of Nilsson and Nugues (2010): LIBSVM with a quadratic kernel, which makes pairs itself."""


@headway_command
@click.argument("treebank", required=False)
@click.option("-o", "--output", metavar="FEATURES", help="Feature model to write; FEATURES.search keeps the journal.")
@click.option("--report", "folder", metavar="DIR", help="Write report.html and report.md of a search to its folder.")
@click.option("--dev", metavar="FILE", help="Development treebank; without, every 10th sentence is held out.")
@click.option("--test", metavar="FILE", help="Treebank for reports: what each generation's best set comes to on it.")
@click.option("--folds", type=click.IntRange(min=2), help="Cross-validation instead of a development treebank.")
@click.option("--metric", type=click.Choice(["LAS", "UAS"]), default="LAS", show_default=True, help="What to raise.")
@click.option("--beam", type=click.IntRange(min=1), default=4, show_default=True, help="Sets kept; 1 is greedy.")
@click.option("--generations", type=click.IntRange(min=1), default=16, show_default=True, help="Generations at most.")
@click.option(
    "--threshold", type=float, default=0.0, show_default=True, help="Points that a gain must be more than to count."
)
@click.option("--patience", type=click.IntRange(min=1), default=2, show_default=True, help="Generations without gain.")
@click.option("--significance", type=click.FloatRange(0, 1), help="A gain counts if its p-value is below, as in 0.05.")
@click.option(
    *("--attributes", "attributes"),
    default="paper",
    show_default=True,
    metavar="NAME,NAME",
    help="What features ask of a word: paper (POS,LEX,DEP), extended (and UPOS,LEMMA,FEATS,SUFFIX2,SUFFIX3), or names.",
)
@click.option("--moves", default="add", show_default=True, metavar="NAME,NAME", help="Steps: add, join, drop.")
@click.option("--largest", type=click.IntRange(min=2), default=3, show_default=True, help="Terms of a joined feature.")
@click.option("--start", metavar="FEATURES", help="Feature model to begin with: a name, or a file.")
@click.option("--parser", type=click.Choice(["transition", "graph"]), default="transition", help="Family of parsers.")
@click.option("--learner", type=click.Choice(LEARNERS), help="How weights are learned; mira by default.")
@learner_options
@click.option("--passes", type=click.IntRange(min=1), help="Passes of an online learner; 3 by default.")
@click.option("--pairs/--no-pairs", default=True, help="Whether all pairs of the features count too.")
@click.option("--two-step/--one-step", default=True, help="Choose action and label one after the other, or at once.")
@encoding(default="none")
@click.option("--paper", is_flag=True, help="The paper's learner, LIBSVM with a quadratic kernel: for small treebanks.")
@click.option("--race/--no-race", default=True, help="Whether a short look chooses what is measured in full.")
@click.option("--check-racing", is_flag=True, help="Look and measure in full too, and report what racing would change.")
@click.option("--punctuation/--no-punctuation", default=None, help="Whether it counts; by default as in evaluate.")
@seed
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default as many as cores.")
@click.option("--engine", metavar="dask://HOST:PORT", help="A Dask cluster to run on, instead of processes.")
@reading
def command(
    treebank: str | None,
    output: str | None,
    folder: str | None,
    dev: str | None,
    test: str | None,
    paper: bool,
    jobs: int | None,
    engine: str | None,
    format: str | None,
    columns: str,
    on_error: str,
    **options: Any,
) -> None:
    """Find the feature set with which a parser for TREEBANK does best.

    Begins with the next word and takes step after step to features around those it has, Nilsson and Nugues (2010).
    Ctrl-C writes the best set so far; the same command goes on where an earlier one was stopped.
    """
    if folder is not None:
        _report(folder)
        return
    if treebank is None or output is None:
        raise click.UsageError("give a treebank and --output FEATURES, or --report DIR for the report of a search")
    from headway.discovery.discover import discovery_from, engine_from
    from headway.formats.reading import read

    how: dict[str, Any] = {"format": format, "columns": columns, "on_error": on_error}
    reader = read(treebank, **how)
    options |= {name: read(path, **how) for name, path in (("dev", dev), ("test", test)) if path is not None}
    options |= {"folds": options["folds"] or 0, "start": options["start"] or (), **(PAPER if paper else {})}
    found = discovery_from(reader, output=output, **options)
    say_skipped(reader)
    interrupted = _run(found, engine_from(engine, jobs))
    if found.search.best is None:
        click.echo("interrupted before the first generation was done; the same command goes on from here", err=True)
        click.get_current_context().exit(130)
    found.save()
    _report(str(found.folder))
    _say(found, interrupted)


def _report(folder: str) -> None:
    from headway.discovery.report import report

    report(folder)
    click.echo(f"{folder}/report.html, {folder}/report.md: the report", err=True)


def _run(found: Discovery, workers: Engine) -> bool:
    """Search with a progress bar; whether the user interrupted it."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

    from headway.discovery.search import Generation

    bar = progress_bar(
        *(TextColumn("generation {task.fields[number]}, {task.fields[stage]}"), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TextColumn("{task.fields[left]}")),
    )
    with bar:
        task = bar.add_task("", total=None, number=1, stage="", left="")
        try:
            for event in found.run(workers):
                if isinstance(event, Generation):
                    bar.console.print(_line(event))
                    bar.update(task, number=event.number + 1, stage="", completed=0, left=_left(found))
                else:
                    bar.update(
                        task, number=event.generation, stage=event.stage, completed=event.done, total=event.total
                    )
        except KeyboardInterrupt:
            return True
    return False


def _line(done: Generation) -> str:
    best = done.beam[0]
    scores = f"UAS {best.uas:5.2f}  LAS {best.las:5.2f}"
    return (
        f"generation {done.number:2}  {scores}  {done.candidates:4} sets {done.seconds:6.1f} s  {best.candidate.step}"
    )


def _left(found: Discovery) -> str:
    """About how long the search goes on, if it goes on to the end and generations grow longer as they did."""
    from datetime import timedelta

    search = found.search
    spans = [one.seconds for one in search.history]
    if len(spans) < 3 or not spans[-2]:
        return ""
    growth = min(1.5, max(1.0, (spans[-1] / max(spans[-3], 0.1)) ** 0.5))
    left = sum(spans[-1] * growth**step for step in range(1, search.generations - search.history[-1].number + 1))
    return f"at most {timedelta(seconds=round(left))} left"


def _say(found: Discovery, interrupted: bool) -> None:
    best = found.search.best
    assert best is not None
    what = "interrupted" if interrupted else found.search.why
    scores = f"UAS {best.uas:.2f}, LAS {best.las:.2f}"
    click.echo(f"{what}; {found.output}: {len(best.candidate.features)} features, {scores}", err=True)
