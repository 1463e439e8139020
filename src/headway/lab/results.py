"""What the journal of a recipe says, by the places of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headway.lab.metrics import metric_of
from headway.lab.plans import Value
from headway.lab.point import Point
from headway.lab.recipe import PASSES, MeasureGrid, Recipe
from headway.lab.running import known_records, outcomes
from headway.lab.searching import searches_in
from headway.lab.tasks import Place, TrainingTask, expand
from headway.runs.journal import Record

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
        cell = self.cell(*place)
        return metric_of(metric).value(cell) if cell else None

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

    @property
    def done(self) -> list[Record]:
        """The records of all tasks that have not failed, and of searches."""
        return [*(record for _, record in self.tasks.values() if record["kind"] == "task"), *self.searches.values()]

    @property
    def workers(self) -> set[int]:
        """How many tasks ran at once."""
        return {point.workers for cell in self.cells.values() for point in cell}


def results(recipe: Recipe, output: Path) -> Results:
    """Read the journal of a recipe."""
    records = known_records(recipe, output)
    known = outcomes(records)
    found = Results(recipe, searches=searches_in(records, recipe))
    grouped: dict[Place, list[Record | None]] = {}
    for place, task in expand(recipe):
        record = known.get(task.key)
        grouped.setdefault(place, []).append(record)
        if record is not None:
            found.tasks[task.key] = task, record
    for place, several in grouped.items():
        for record in several:
            if record is not None and "why" in record:
                found.failures[place] = record["why"]
        measured = [record for record in several if record is not None and "points" in record]
        if len(measured) == len(several):
            _add(found, recipe, place, measured)
    return found


def _add(found: Results, recipe: Recipe, place: Place, records: Sequence[Record]) -> None:
    """Put the points of a place where they belong: with an axis of passes each at its own."""
    along = recipe.parts[place.part].axis in PASSES
    for points in _aligned(records):
        at: Any = points[0].at if along else place.at
        found.cells[Place(place.part, place.treebank, place.configuration, at)] = points
        if along:
            numbers = found.passes.setdefault(place.part, [])
            numbers[:] = sorted({*numbers, at})


def _aligned(records: Sequence[Record]) -> Iterator[Cell]:
    """The points of several records by their order."""
    yield from map(
        list, zip(*([Point.of(point, record) for point in record["points"]] for record in records), strict=False)
    )
