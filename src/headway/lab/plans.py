"""What a recipe plans to show: tables, plots, heat maps, with figures of papers beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from headway.base.errors import known, shown
from headway.lab.entries import Problems, entry
from headway.lab.metrics import METRICS, OF_LABEL

if TYPE_CHECKING:
    from headway.lab.recipe import Declared

Value = int | float | str
DIMENSIONS = ("treebank", "configuration", "at")
"""What a measure belongs to; `at` is the value on the axis of a part."""


def known_metrics(declared: Declared) -> list[str]:
    """All metrics, with those of the labels that parts ask for."""
    labels = dict.fromkeys(label for part in declared.parts.values() for label in part.labels)
    return [*METRICS, *(f"{OF_LABEL}{label}" for label in labels)]


PARTS, CONFIGURATIONS, TREEBANKS, SEARCHES = map(attrgetter, ("parts", "configurations", "treebanks", "searches"))
"""Names that the file has declared before."""


@dataclass(frozen=True, kw_only=True)
class PaperDifference:
    """What differs between a paper and its recipe: data, settings, scorer."""

    what: str
    paper: str
    ours: str


@dataclass(frozen=True, kw_only=True)
class PaperFigures:
    """Figures of a paper, for rows of a table by their names, and how its data differ from ours."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Value, ...]]
    data: str

    def problems(self, declared: Declared) -> Problems:
        """Rows of another length."""
        for name, figures in self.rows.items():
            if len(figures) != len(self.columns):
                yield f"row {shown(name)} has {len(figures)} figures", f"there are {len(self.columns)} columns"


@dataclass(frozen=True, kw_only=True)
class PaperRanking:
    """A paper's ranking of the successors of a feature set, best first, to stand beside ours."""

    title: str
    parent: tuple[str, ...]
    paper: PaperFigures


@dataclass(frozen=True, kw_only=True)
class FiguresElsewhere:
    """A row of figures that were measured elsewhere, by metric, and where."""

    name: str
    figures: Mapping[str, float]
    source: str


@dataclass(frozen=True, kw_only=True)
class TablePlan:
    """A table of a part: what makes a row, and which metrics; all other dimensions go to the columns."""

    title: str
    part: str = entry(among=PARTS)
    rows: tuple[str, ...] = entry(("treebank",), among=DIMENSIONS)
    metrics: tuple[str, ...] = entry(("LAS",), among=known_metrics)
    against: str | None = entry(None, among=CONFIGURATIONS)
    """A configuration: scores that differ from its own by more than chance are marked."""
    mean: bool = False
    """Whether each number is the mean over all treebanks, which then make neither rows nor columns."""
    ranks: bool = False
    """Whether configurations are ranked on each treebank, with the mean of their ranks in a last row."""
    fit: bool = False
    """Whether exponents of growth are fitted to what was measured along the axis."""
    choose: str | None = entry(None, among=PARTS)
    """A part: for each treebank, only what was best there is shown, ..."""
    over: str = entry("configuration", among=DIMENSIONS[1:])
    """... the best configuration, or for each configuration its best value `at` on the axis, ..."""
    by: str = entry("LAS", among=known_metrics)
    """... by this metric."""
    paper: PaperFigures | None = None
    elsewhere: tuple[FiguresElsewhere, ...] = ()
    """Rows that no task of the recipe has measured."""
    caution: str = ""
    """Why its figures say less than they seem to."""

    def problems(self, declared: Declared) -> Problems:
        """What cannot be shown together."""
        for number, row in enumerate(self.elsewhere, 1):
            for name in row.figures:
                if name not in self.metrics:
                    yield f"the table does not show {shown(name)}", known(self.metrics), f"elsewhere {number}"
        if self.fit and "at" not in self.rows:
            yield "exponents are fitted to rows along the axis", 'write rows = ["at"]'
        several = len(declared.parts[self.part].treebanks) > 1 and not self.mean
        if self.elsewhere and not declared.quick and (self.rows != ("configuration",) or self.choose or several):
            wanted = 'write rows = ["configuration"], of one treebank'
            yield "figures from elsewhere stand in a row like those of a configuration", wanted
        if self.mean and "treebank" in self.rows:
            yield "a mean over the treebanks has no row for each", 'write rows = ["configuration"]'
        if self.ranks and (self.rows != ("treebank",) or self.choose):
            yield "configurations are ranked on each treebank", 'write rows = ["treebank"]'


@dataclass(frozen=True, kw_only=True)
class PlotPlan:
    """Lines over the axis of a part; configurations of `level`, another part, are horizontal lines."""

    title: str
    part: str = entry(among=PARTS)
    metric: str = entry("LAS", among=known_metrics)
    level: str | None = entry(None, among=PARTS)


@dataclass(frozen=True, kw_only=True)
class HeatMapPlan:
    """Decoders × learners of the products: the mean over the treebanks of a part."""

    title: str
    part: str = entry(among=PARTS)
    metric: str = entry("LAS", among=known_metrics)
