"""`headway experiment`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from headway.cli import HELP, interrupted, say, verbosity
from headway.cli.printing import print_table, progress_bar
from headway.cli.shared_options import ENGINE, jobs

if TYPE_CHECKING:
    from headway.lab.recipe import Recipe

quick_option = click.option(
    "--quick", is_flag=True, help="Run the quick form of recipes: less data, fewer passes, separate journals."
)


output_option = click.option(
    *("--output", "-o"), default="experiments", show_default=True, metavar="DIR", help="Folder of the journals."
)


@click.group(context_settings=HELP)
@verbosity
def command() -> None:
    """Measure the tables and figures of papers again.

    Each has a recipe. A run continues where an earlier one stopped. NAME is a recipe of `headway experiment list`, or
    a file of your own that ends in .toml.
    """


@command.command("list", context_settings=HELP)
def list_command() -> None:
    """List the recipes."""
    from headway.lab import reading
    from headway.lab.tasks import size_of

    rows = []
    for name in reading.names():
        found = reading.recipe(name)
        paper = (found.paper or "–").partition(":")[0]
        rows.append((name, found.title, paper, f"{len(found.sources)}", f"{size_of(found)}"))
    print_table(("name", "what", "paper", "treebanks", "tasks"), rows, names=3)


@command.command("run", context_settings=HELP)
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--treebanks", metavar="DIR", help="Folder of treebanks; by default the one in HEADWAY_TREEBANKS.")
@quick_option
@jobs("tasks to run")
@click.option("--stale", is_flag=True, help="Also run tasks again whose results would differ today.")
@ENGINE
@output_option
@verbosity
def run_command(names: tuple[str, ...], quick: bool, **how: Any) -> None:
    """Run recipes; `all` runs every one of them.

    If a task fails or a treebank is missing, the others still run, and the exit code is 1.
    """
    from headway.lab import reading

    wanted = tuple(reading.names()) if names == ("all",) else names
    recipes = [reading.recipe(name, quick) for name in wanted]
    if sum(_run(recipe, how) for recipe in recipes):
        click.get_current_context().exit(1)


def _run(recipe: Recipe, how: dict[str, Any]) -> int:
    """One recipe, with a progress bar; how many of its tasks failed now, and how many treebanks are missing."""
    from datetime import timedelta

    from headway.base.errors import counted
    from headway.lab.experiment import TaskDone, run, status
    from headway.lab.sources import TreebankMissing

    bar = progress_bar("{task.description}", "bar", "count", "elapsed", "{task.fields[left]}")
    failed = missing = 0
    with bar, suppress(KeyboardInterrupt):
        is_interrupted = True
        task = bar.add_task(recipe.identity, total=None, left="")
        for event in run(recipe, **how):
            if isinstance(event, TaskDone):
                left = f"about {timedelta(seconds=round(event.left))} left"
                bar.update(task, completed=event.number, total=event.total, left=left)
                if event.why:
                    failed += 1
                    bar.console.print(f"{recipe.identity}: {event.task.treebank}: {event.why}")
            elif isinstance(event, TreebankMissing):
                missing += 1
                bar.console.print(f"{recipe.identity}: {event.why}")
            else:
                scores = f"{event.beam[0].shown} ({recipe.definition})"
                say(f"{recipe.identity}: generation {event.number}, {scores}", bar.console)
        is_interrupted = False
    found = status(recipe, how["output"])
    done = f"{recipe.identity}: {found.done} of {counted(found.total, 'task')} done"
    if is_interrupted:
        interrupted(f"; {done}, and the same command goes on with the others")
    lacking = f", {counted(missing, 'treebank')} missing" if missing else ""
    say(f"{done}, {found.failed} failed{lacking}")
    return failed + missing


@command.command("status", context_settings=HELP)
@click.argument("names", nargs=-1, metavar="[NAME]…")
@quick_option
@click.option("--stale", is_flag=True, help="Also count results that would differ today; takes some minutes.")
@output_option
@verbosity
def status_command(names: tuple[str, ...], quick: bool, stale: bool, output: str) -> None:
    """Say how many tasks of each recipe are done or failed.

    With --stale, also how many results are stale: their options now give another parser on a small treebank. Results
    of older journals that cannot be checked this way are counted as unchecked.
    """
    from headway.lab import reading
    from headway.lab.experiment import status

    rows = []
    for name in names or reading.names():
        found = status(reading.recipe(name, quick), output, stale=stale)
        ended = found.done + found.failed
        state = "done" if ended == found.total else "under way" if ended else "not begun"
        rows.append((name, state, *(f"{count}" for count in found if count is not None)))
    header = ("name", "state", "done", "failed", "tasks", "stale", "unchecked")
    print_table(header[: len(rows[0])], rows, names=2)


@command.command("report", context_settings=HELP)
@click.argument("names", nargs=-1, metavar="[NAME]…")
@quick_option
@output_option
@click.option(
    "--page",
    metavar="FILE.md",
    help="Page to write, an HTML page beside it; by default DIR/results[.quick].md. FILE.tex gets the tables in LaTeX, "
    "FILE.csv all numbers.",
)
def report_command(names: tuple[str, ...], quick: bool, output: str, page: str | None) -> None:
    """Write the page of results from the journals.

    There are two files: Markdown, and HTML with plots; or one with LaTeX or CSV. Where several seeds were run, scores
    have their standard deviation beside them.
    """
    from pathlib import Path

    from headway.lab import reading
    from headway.lab.reports.page import write_page

    target = Path(page) if page else Path(output) / ("results.quick.md" if quick else "results.md")
    recipes = [reading.recipe(name, quick) for name in names or reading.names()]
    written = write_page(recipes, output, target)
    say(f"{', '.join(map(str, written))}: the results")
