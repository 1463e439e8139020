"""Running experiments, and where they stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from headway.discovery.discover import engine_from
from headway.discovery.search import Generation
from headway.errors import HeadwayError
from headway.experiments.recipe import Recipe
from headway.experiments.running import Event, Missing, Run, known_records, outcomes
from headway.experiments.searching import search_in, searched
from headway.experiments.sources import treebanks_in
from headway.experiments.tasks import expand

OUTPUT = "experiments"
"""The folder of journals where none is named."""


def run(
    recipe: Recipe,
    *,
    treebanks: str | None = None,
    output: str | os.PathLike[str] = OUTPUT,
    engine: str | Executor | None = None,
    jobs: int | None = None,
) -> Iterator[Event | Generation]:
    """Run a recipe, from where an earlier run was stopped; yields what is missing and what has been done.

    `engine` is `dask://HOST:PORT` or an executor, by default processes, as many as cores or `jobs`.
    """
    folder, place = treebanks_in(treebanks), Path(output)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HeadwayError(f"{place}: {error.strerror}; name a folder that can be written to") from None
    found = None
    if recipe.search is not None:
        for event in searched(recipe, folder, place, engine_from(engine, jobs)):
            yield event
            if isinstance(event, Missing):
                return
        known = search_in(known_records(recipe, place), recipe)
        assert known is not None
        found = known["found"]
    yield from Run(recipe, folder, place, found).run(engine_from(engine, jobs))


class Status(NamedTuple):
    """How far a recipe is."""

    done: int
    failed: int
    total: int


def status(recipe: Recipe, output: str | os.PathLike[str] = OUTPUT) -> Status:
    """How many of a recipe's tasks its journal holds; a search counts as one."""
    found = known_records(recipe, Path(output))
    known, tasks = outcomes(found), {task.key for _, task in expand(recipe)}
    kinds = [known[key]["kind"] for key in tasks if key in known]
    search = int(recipe.search is not None)
    ended = int(search_in(found, recipe) is not None)
    return Status(kinds.count("task") + ended, kinds.count("failure"), len(tasks) + search)
