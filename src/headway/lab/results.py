"""What the journal of a recipe says, by the places of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from headway.lab.code import Code, changed, code_of, code_of_search
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
UNVERSIONED = "(version not recorded)"
"""What made records that do not name their version."""
MEASURED_BY = "measured_by"
"""In a record that was carried over to other code: the code that measured it."""


class MadeBy(NamedTuple):
    """Which version and code made a result, whether other code measured it, and which kinds have changed since."""

    version: str
    code: Code
    carried: bool
    """Other code measured it, and this code gives the same trees; its times and memory are of then."""
    changes: tuple[str, ...]


@dataclass
class Results:
    """The measures of a recipe as far as its journal has them."""

    recipe: Recipe
    cells: dict[Place, Cell] = field(default_factory=dict)
    failures: dict[Place, str] = field(default_factory=dict)
    searches: dict[str, Record] = field(default_factory=dict)
    made: list[MadeBy] = field(default_factory=list)
    """By whom, for each task that is done and each search."""
    failed: int = 0
    """How many tasks failed."""
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
    def workers(self) -> set[int]:
        """How many tasks ran at once."""
        return {point.workers for cell in self.cells.values() for point in cell}


def results(recipe: Recipe, output: Path) -> Results:
    """Read the journal of a recipe."""
    records = known_records(recipe, output)
    known = outcomes(records)
    found = Results(recipe, searches=searches_in(records, recipe))
    grouped: dict[Place, list[Record | None]] = {}
    tasks: dict[str, TrainingTask] = {}
    for place, task in expand(recipe):
        grouped.setdefault(place, []).append(known.get(task.key))
        tasks[task.key] = task
    found.made = list(_makers(found, {key: known[key] for key in tasks if key in known}, tasks))
    found.failed = sum(key in known and known[key]["kind"] == "failure" for key in tasks)
    for place, several in grouped.items():
        for record in several:
            if record is not None and "why" in record:
                found.failures[place] = record["why"]
        measured = [record for record in several if record is not None and "points" in record]
        if len(measured) == len(several):
            _add(found, recipe, place, measured)
    return found


def _makers(found: Results, known: Mapping[str, Record], tasks: Mapping[str, TrainingTask]) -> Iterator[MadeBy]:
    for key, record in known.items():
        if record["kind"] == "task":
            yield _made(record, code_of(tasks[key].options))
    for name, record in found.searches.items():
        yield _made(record, code_of_search(found.recipe.searches[name].options))


def _made(record: Record, now: Code) -> MadeBy:
    before = record.get("code")
    version = record.get("version", UNVERSIONED)
    return MadeBy(version, before or {}, MEASURED_BY in record, tuple(changed(before, now)))


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
