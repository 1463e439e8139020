"""Running experiments, and where they stand."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from headway.base.errors import HeadwayError
from headway.discovery.search import GenerationDone
from headway.lab.recipe import Recipe
from headway.lab.results import results
from headway.lab.running import Event, RecipeRun, TreebankMissing, known_records
from headway.lab.searching import searched, searches_in
from headway.lab.sources import treebanks_in
from headway.lab.tasks import size_of
from headway.runs.command_engine import CommandEngine
from headway.runs.engines import engine_from

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
    With `stale`, what other code has made is measured again.
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
    yield from RecipeRun(recipe, folder, place, found, stale).run(engine_from(engine, jobs, CommandEngine))


class Status(NamedTuple):
    """How far a recipe is; `stale` of what is done was made by other code, `changes` says how much by which kind."""

    done: int
    failed: int
    total: int
    stale: int
    changes: dict[str, int]


def status(recipe: Recipe, output: str | os.PathLike[str] = OUTPUT) -> Status:
    """How many of a recipe's tasks its journal holds; each search counts as one."""
    found = results(recipe, Path(output))
    changes = Counter(kind for made in found.made for kind in made.changes)
    stale = sum(bool(made.changes) for made in found.made)
    return Status(len(found.made), found.failed, size_of(recipe), stale, dict(sorted(changes.items())))
