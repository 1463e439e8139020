"""Running experiments, and where they stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from headway.base.errors import HeadwayError
from headway.discovery.search import GenerationDone
from headway.lab.canaries import canary_of, canary_of_search, is_changed
from headway.lab.recipe import Recipe
from headway.lab.results import results
from headway.lab.running import Event, RecipeRun, TreebankMissing, known_records
from headway.lab.searching import searched, searches_in
from headway.lab.sources import treebanks_in
from headway.lab.tasks import size_of
from headway.runs.engines import engine_from
from headway.runs.threads import ThreadEngine

OUTPUT = "experiments"
"""The folder of journals where none is named."""


def run(
    recipe: Recipe,
    *,
    treebanks: str | None = None,
    output: str | os.PathLike[str] = OUTPUT,
    engine: str | Executor | None = None,
    jobs: int | None = None,
    stale: bool = False,
) -> Iterator[Event | GenerationDone]:
    """Run a recipe, from where an earlier run was stopped; yields what is missing and what has been done.

    `engine` is `dask://HOST:PORT` or an executor, by default this machine, with as many processes as cores or `jobs`.
    With `stale`, results with another canary, or none, are measured again.
    """
    folder, place = treebanks_in(treebanks), Path(output)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HeadwayError(f"{place}: {error.strerror}; name a folder that can be written to") from None
    for search in recipe.searches.values():
        for event in searched(recipe, search, folder, place, engine_from(engine, jobs), stale):
            yield event
            if isinstance(event, TreebankMissing):
                return
    known = searches_in(known_records(recipe, place), recipe)
    found = {name: record["found"] for name, record in known.items()}
    yield from RecipeRun(recipe, folder, place, found, stale).run(engine_from(engine, jobs, ThreadEngine))


class Status(NamedTuple):
    """How far a recipe is. If asked for: of what is done, how much has another canary today, and how much has none."""

    done: int
    failed: int
    total: int
    stale: int | None = None
    unchecked: int | None = None


def status(recipe: Recipe, output: str | os.PathLike[str] = OUTPUT, *, stale: bool = False) -> Status:
    """How many of a recipe's tasks its journal holds; each search counts as one.

    With `stale`, results are checked: one short training for each set of options.
    """
    found = results(recipe, Path(output))
    count = len(found.done)
    known = Status(count, len(found.tasks) + len(found.searches) - count, size_of(recipe))
    if not stale:
        return known
    done = ((task, record) for task, record in found.tasks.values() if record["kind"] == "task")
    changed = [record for task, record in done if is_changed(record, canary_of(task))]
    for name, record in found.searches.items():
        if is_changed(record, canary_of_search(recipe.searches[name].options)):
            changed.append(record)
    unchecked = sum("canary" not in record for record in changed)
    return known._replace(stale=len(changed) - unchecked, unchecked=unchecked)
