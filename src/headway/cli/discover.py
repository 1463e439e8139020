"""`headway discover`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headway.base.options import kinds
from headway.cli import PARTIAL, headway_command, interrupted, say, say_skipped
from headway.cli.options import OptionGroup, derive, entries, given_options
from headway.cli.printing import progress_bar
from headway.cli.shared_options import ENGINE, FORCE, jobs, reading
from headway.discovery.options import DiscoveryOptions

if TYPE_CHECKING:
    from headway.discovery.search import FeatureSearch, GenerationDone
    from headway.evaluation.definitions import Definition
    from headway.runs.engines import Engine


MEASURED = ("parser", "system", "root", "learner", "options", "passes", "two_step", "encoding", "prune", "pairs")
"""The options of the parsers by which feature sets are compared."""
RACING = ("race", "keep", "least", "check_racing")


def groups() -> list[OptionGroup]:
    """What everybody needs, then the search and the parsers it trains."""
    others = [name for name in kinds(DiscoveryOptions) if name not in (*MEASURED, *RACING)]
    return [
        OptionGroup(
            "What everybody needs",
            [],
            own=("output", "dev", "jobs"),
            example="headway discover train.conllu --start default -o found.features",
        ),
        OptionGroup("Search", entries(DiscoveryOptions, others)),
        OptionGroup(
            "Racing",
            entries(DiscoveryOptions, RACING),
            text="Feature sets are first compared on part of the data; only the best are measured on all of it.",
        ),
        OptionGroup("The parsers that are trained to compare feature sets", entries(DiscoveryOptions, MEASURED)),
    ]


@headway_command
@click.argument("treebank", required=False)
@click.option("-o", "--output", metavar="FEATURES", help="Feature model to write; FEATURES.search keeps the journal.")
@click.option(
    "--report",
    "folder",
    metavar="DIR",
    help="Write report.html and report.md about a search into its folder, FEATURES.search.",
)
@click.option("--dev", metavar="FILE", help="Development treebank; without it every 10th sentence is held out.")
@click.option("--test", metavar="FILE", help="Test treebank: reports score the best set of each generation on it.")
@jobs("feature sets to measure")
@ENGINE
@FORCE
@reading
def command(
    treebank: str | None,
    output: str | None,
    folder: str | None,
    dev: str | None,
    test: str | None,
    jobs: int | None,
    engine: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Search for the features that work best on a treebank.

    With --start default it improves the features that parsers have by default: it reads, joins, adds and drops whole
    groups of them, and returns the start where nothing is surely better on --dev. Without --start it begins with one
    feature, the next word, and adds feature after feature (Nilsson and Nugues 2010). Ctrl-C leaves FEATURES as it was
    and writes the best set so far to FEATURES.partial. To continue an interrupted search, give the same command again.
    """
    if folder is not None:
        _report(folder)
        return
    if treebank is None or output is None:
        raise click.UsageError("give a treebank and --output FEATURES, or --report DIR for the report of a search")
    from headway.base.errors import counted
    from headway.data.formats.reading import read
    from headway.discovery.discover import discovery_from
    from headway.runs.engines import engine_from

    how = {name: options.pop(name) for name in ("format", "columns", "on_error")}
    reader = read(treebank, **how)
    given = given_options(options, DiscoveryOptions)
    given |= {name: read(path, **how) for name, path in (("dev", dev), ("test", test)) if path is not None}
    found = discovery_from(reader, output=output, force=force, **given)
    say_skipped(reader)
    is_interrupted = True
    with suppress(KeyboardInterrupt):
        _run(found, engine_from(engine, jobs))
        is_interrupted = False
    if found.best is None:
        interrupted(" before the first generation was done; the same command goes on from here")
    partial = Path(f"{found.output}{PARTIAL}")
    target = partial if is_interrupted else found.output
    found.save(target)
    _report(str(found.folder))
    features = counted(len(found.best.candidate.features), "feature")
    what = f"{target}: {features}, {found.best.shown} ({found.setting.definition.brief})"
    if is_interrupted:
        interrupted(f", and the same command goes on from here; {what}")
    say(f"{found.why}; {what}")
    partial.unlink(missing_ok=True)


derive(command, groups())


def _report(folder: str) -> None:
    from headway.discovery.report import write_report

    write_report(folder)
    say(f"{folder}/report.html, {folder}/report.md: the report")


def _run(found: FeatureSearch, workers: Engine) -> None:
    """Search with a progress bar."""
    from headway.discovery.search import GenerationDone

    what = "generation {task.fields[number]}, {task.fields[stage]}"
    with progress_bar(what, "bar", "count", "elapsed", "{task.fields[left]}") as bar:
        task = bar.add_task("", total=None, number=1, stage="", left="")
        for event in found.run(workers):
            if isinstance(event, GenerationDone):
                say(_line(event, found.setting.definition), bar.console)
                bar.update(task, number=event.number + 1, stage="", completed=0)
            else:
                bar.update(task, number=event.generation, stage=event.stage, completed=event.done, total=event.total)
            bar.update(task, left=_left(found))


def _line(done: GenerationDone, definition: Definition) -> str:
    best = done.beam[0]
    scores = "  ".join(f"{name} {score:5.2f}" for name, score in best.scores.items())
    how = f"sets {done.candidates:4}  {done.seconds:6.1f} s  {best.candidate.step}"
    return f"generation {done.number:2}  {scores} ({definition.name})  {how}"


def _left(found: FeatureSearch) -> str:
    """About how long the search goes on, if it goes on to the end and generations grow longer as they did."""
    from datetime import timedelta

    if (seconds := found.seconds_left()) is None:
        spans = [one.seconds for one in found.history]
        if len(spans) < 3 or not spans[-2]:
            return ""
        growth = min(1.5, max(1.0, (spans[-1] / max(spans[-3], 0.1)) ** 0.5))
        seconds = sum(
            spans[-1] * growth**step for step in range(1, found.chosen.generations - found.history[-1].number + 1)
        )
    return f"at most {timedelta(seconds=round(seconds))} left"
