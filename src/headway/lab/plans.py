"""What a recipe plans to show, with figures of papers beside it; and what papers claim, with how to test it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from headway.base.errors import known, shown
from headway.lab.entries import Problems, entry
from headway.lab.metrics import AUC, ECE, METRICS, OF_LABEL, is_score, testable

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


MARGIN = 0.5
"""Points of a score: who loses less than this does not lose."""
BOTH = 2
NO_PART = ("there is no part", "say under [[part]] what is measured")


@dataclass(frozen=True, kw_only=True)
class ClaimSide:
    """One side of a claim: a configuration, where there is an axis at a value."""

    configuration: str = entry(among=CONFIGURATIONS)
    at: Value | None = None
    part: str = entry("", among=PARTS)
    """That of the claim where none is named."""


@dataclass(frozen=True, kw_only=True)
class SearchClaim:
    """What a claim says of a search; one of these."""

    search: str = entry(
        name="name", among=SEARCHES, first=("the recipe has no search", "add [search], or leave the claim out")
    )
    beam: int | None = None
    """The best set of every generation grew from sets in the first places of the beam, so many."""
    parent: tuple[str, ...] = ()
    best: str = ""
    """The best successor of a set, as the feature language writes it."""
    falls: bool = False
    """On the test part the best set of the last generation is worse than that of an earlier one."""
    cheaper_than: str = entry("", among=SEARCHES)
    """Another search: measuring a set takes longer there."""

    def problems(self, declared: Declared) -> Problems:
        """Several things, or none."""
        if sum(map(bool, (self.beam, self.best, self.falls, self.cheaper_than))) != 1:
            yield "a claim says one thing of a search", "give beam, parent and best, falls, or cheaper_than"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a paper says, and how these data can test it.

    `better` beats `worse` by a metric: a score, where with `or_equal` it is enough that it is not behind by `margin`
    points, or a cost, which is at least `ratio` times as good. `at_least` is a floor for `better` instead, `at_most` a
    ceiling. `untestable` says why nothing here can test it.
    """

    text: str
    metric: str = entry("LAS", among=known_metrics)
    part: str = entry(among=PARTS, first=NO_PART)
    better: ClaimSide | None = None
    worse: ClaimSide | None = None
    or_equal: bool = False
    margin: float = MARGIN
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    treebanks: tuple[str, ...] | None = entry(None, among=TREEBANKS)
    choose: str | None = entry(None, among=PARTS)
    """A part: `better` is the configuration that was best there."""
    of_search: SearchClaim | None = entry(None, name="search")
    """What is claimed of a search, instead of configurations."""
    drop: float | None = None
    """`better` loses at most so many points from the first treebank to the second, instead."""
    untestable: str = ""
    why: str = ""
    """What explains it, where it is not confirmed: something measured, ..."""
    shown_in: str = ""
    """... and the title of the table or plot that shows it."""
    guess: str = ""
    """What may explain it; nobody has measured that."""
    caution: str = ""
    """Why the verdict says less than it seems to, until that is measured."""

    def __post_init__(self) -> None:
        """Sides are in the part of the claim where they name none."""
        for name in ("better", "worse"):
            side: ClaimSide | None = getattr(self, name)
            if side is not None and not side.part:
                object.__setattr__(self, name, replace(side, part=self.part))

    @property
    def times(self) -> float:
        """How many times as good `better` has to be, by a cost."""
        return 1.0 if self.ratio is None else self.ratio

    def problems(self, declared: Declared) -> Problems:
        """What does not go together, and what is missing for a test."""
        if bool(self.why) != bool(self.shown_in):
            yield "why and shown_in go together", "name the table or plot that shows it, or call it a guess = …"
        if self.times <= 0 or self.margin < 0:
            yield "a ratio is more than 0, a margin 0 or more", "write ratio = 0.9 or margin = 0.5"
        if is_score(self.metric) and self.ratio is not None:
            yield "a ratio is for costs", "write or_equal = true and margin = 0.5 for scores"
        if self.metric == AUC and (self.ratio is not None or (self.or_equal and self.margin >= MARGIN)):
            yield "AUC is neither a cost nor in points", "write or_equal = true and a margin, such as margin = 0.005"
        if not is_score(self.metric, AUC) and self.or_equal and self.ratio is None:
            yield "nothing says how much worse a cost may be", "write ratio = 0.9, or another"
        compared = self.better and self.worse
        floored = (self.better or self.choose) and (self.at_least, self.at_most) != (None, None)
        if self.drop is not None and (not self.better or len(self.treebanks or ()) != BOTH):
            yield "a drop goes from one treebank to another", "give better, and treebanks with two names"
        if not (self.untestable or self.of_search or self.drop is not None or compared or floored):
            yield "nothing says how to test it", "give better and worse, at_least, at_most, search, or untestable"
        if compared and self.metric == ECE:
            yield f"no journal can test a difference in {ECE}", "give better and at_most"
        if compared and is_score(self.metric, AUC) and not testable(self.metric, declared.punctuation):
            counted = "all words" if declared.punctuation else "words without punctuation"
            yield f"no journal can test {self.metric}", f"take LAS or UAS of {counted}, as the recipe counts"
