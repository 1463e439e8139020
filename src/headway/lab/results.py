"""The journal of a recipe: where it is, and what it says by the places of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from headway.discovery.history import History
from headway.evaluation.definitions import ALL
from headway.lab.metrics import Point, metric_of
from headway.lab.plans import Value
from headway.lab.recipe import PASSES, MeasureGrid, Recipe, SearchPlan
from headway.lab.tasks import FOUND, Place, TrainingTask, expand
from headway.runs.journal import Record, records

VERSION = 1
RUN, SEARCH = "run", "search"
"""What errors call the run of a recipe; the kind of the records of searches."""
Cell = list[Point]
"""The points of all folds and seeds of a place."""


@dataclass
class Results:
    """The measures of a recipe as far as its journal has them."""

    recipe: Recipe
    cells: dict[Place, Cell] = field(default_factory=dict)
    failures: dict[Place, str] = field(default_factory=dict)
    searches: dict[str, Record] = field(default_factory=dict)
    tasks: dict[str, tuple[TrainingTask, Record]] = field(default_factory=dict)
    """The tasks that have ended by their keys, with the records that say how."""
    passes: dict[str, list[int]] = field(default_factory=dict)
    """For each part along passes, their numbers."""

    def cell(self, part: str, treebank: str, configuration: str, at: Value | None = None) -> Cell | None:
        """The points of a place, None where some are missing."""
        return self.cells.get(Place(part, treebank, configuration, at))

    def value(self, metric: str, *place: Any) -> float | None:
        """A number of a place."""
        return metric_of(metric).of(self.cell(*place))

    def of_seeds(self, metric: str, part: str, *place: Any) -> list[float]:
        """The number of a place for each of its seeds; nothing where there is one seed, or one of the numbers lacks."""
        cell, given = self.cell(part, *place), self.recipe.configurations[place[1]].seeds
        seeds = len(given or self.recipe.parts[part].seeds)
        if not cell or seeds < 2:
            return []
        folds = len(cell) // seeds
        values = [metric_of(metric).of(cell[at : at + folds]) for at in range(0, len(cell), folds)]
        return [] if None in values else values  # type: ignore[return-value]

    def axis(self, part: MeasureGrid) -> Sequence[Value | None]:
        """The values along the axis of a part; None alone where it has none."""
        if part.axis is None:
            return (None,)
        return self.passes.get(part.name, []) if part.axis in PASSES else part.values

    def chosen(self, part: str, treebank: str, metric: str) -> str | None:
        """The configuration that is best on a treebank; None while one is not measured that has not failed."""
        found: dict[str, float] = {}
        for name in self.recipe.parts[part].configurations:
            value = self.value(metric, part, treebank, name)
            if value is not None:
                found[name] = value
            elif Place(part, treebank, name, None) not in self.failures:
                return None
        return max(found, key=found.__getitem__) if found else None

    @cached_property
    def histories(self) -> dict[str, History]:
        """The searches that have been made, by their names."""
        return {name: History(record["records"]) for name, record in self.searches.items()}

    @property
    def done(self) -> list[Record]:
        """The records of all tasks that have not failed, and of searches."""
        return [*(record for _, record in self.tasks.values() if record["kind"] == "task"), *self.searches.values()]

    @property
    def workers(self) -> set[int]:
        """How many tasks ran at once."""
        return {point.workers for cell in self.cells.values() for point in cell}


def journal_of(recipe: Recipe, output: Path) -> Path:
    """Where a recipe's journal is: NAME.jsonl, in its quick form NAME.quick.jsonl."""
    return output / f"{recipe.identity}.jsonl"


def header_of(recipe: Recipe) -> Record:
    """The first line of a recipe's journal."""
    return {"kind": "recipe", "version": VERSION, "digest": recipe.identity}


def outcomes(found: Iterable[Record]) -> dict[str, Record]:
    """The tasks of a journal by their keys; the last record of a task counts."""
    return {record["key"]: record for record in found if record["kind"] in ("task", "failure")}


def asked_of(recipe: Recipe, search: SearchPlan) -> list[Any]:
    """What a search depends on, but for the text of the treebank, as JSON has it."""
    source = asdict(recipe.sources[search.treebank])
    own = {name: value for name, value in source.items() if value and name != "treebank"}
    if recipe.definition != ALL.name:  # so that journals from before there was such an entry go on
        own |= {"definition": recipe.definition, "punctuation": recipe.punctuation}
    if recipe.imports:
        own["imports"] = [*recipe.imports.values()]
    asked = [dict(search.options), recipe.sentences, recipe.tested, *([own] if own else [])]
    found: list[Any] = json.loads(json.dumps(asked))
    return found


def results(recipe: Recipe, output: Path) -> Results:
    """Read the journal of a recipe."""
    path = journal_of(recipe, output)
    every = records(path, RUN) if path.exists() else []
    known, found = outcomes(every), Results(recipe)
    searches = {record.get("name", FOUND): record for record in every if record["kind"] == SEARCH}
    for name, search in recipe.searches.items():
        asked = asked_of(recipe, search)
        if name in searches and searches[name].get("asked", asked) == asked:
            found.searches[name] = searches[name]
    grouped: dict[Place, list[Record | None]] = {}
    for place, task in expand(recipe):
        record = known.get(task.key)
        grouped.setdefault(place, []).append(record)
        if record is not None:
            found.tasks[task.key] = task, record
    for place, several in grouped.items():
        for record in several:
            if record and "why" in record:
                found.failures[place] = record["why"]
        measured = [record for record in several if record and "points" in record]
        if len(measured) < len(several):
            continue
        along = recipe.parts[place.part].axis in PASSES  # Then each point stands at a pass of its own.
        for points in zip(*([Point.of(point, one) for point in one["points"]] for one in measured), strict=False):
            at: Any = points[0].at if along else place.at
            found.cells[place._replace(at=at)] = [*points]
            if along:
                found.passes[place.part] = sorted({*found.passes.get(place.part, ()), at})
    return found
