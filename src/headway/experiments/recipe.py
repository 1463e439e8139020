"""What a recipe says: treebanks, configurations of parsers, what is measured, what is shown, what is claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Options = Mapping[str, Any]
Value = int | float | str
PASSES = ("passes", "rounds")
"""The axes whose values are the passes of one training, or its rounds."""
SENTENCES = "sentences"
"""The axis whose values are numbers of training sentences."""
MARGIN = 0.5
"""Points of a score: who loses less than this does not lose."""
DIMENSIONS = ("treebank", "configuration", "at")
"""What a measure belongs to; `at` is the value on the axis of a part."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where sentences come from: a folder with `train`, `dev` and `test`, or `headway sample`."""

    treebank: str = ""
    """The folder's name; where it is empty, sentences are generated."""
    files: Mapping[str, str] = field(default_factory=dict)
    """For a part, the file that is taken instead of the one of its name."""
    genres: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a part, how the `sent_id` of its sentences begins, up to a hyphen."""
    sample: Options = field(default_factory=dict)
    """Options of `headway.sample.Sample` for the training part; `length` joins sentences to longer ones."""
    first: int | None = None
    """Only so many sentences of the training part are there; None for all."""


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A way to train: options of `headway.train`, or a peer's."""

    name: str
    options: Options
    treebanks: tuple[str, ...] | None = None
    """The treebanks that it is tried on; None for all."""
    seeds: tuple[int, ...] = ()
    """Its own seeds, instead of those of a part: fewer for what takes long, more for what is to be repeated."""
    minutes: float | None = None
    """After so long a training is given up."""
    decoder: str = ""
    learner: str = ""
    """Row and column in a heat map, where the configuration comes from a product."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A grid of measures: configurations × treebanks × seeds × the values of an axis."""

    name: str
    on: str = "test"
    """What is parsed: `test`, `dev`, every tenth training sentence `held-out`, `folds`, or `train`."""
    folds: int = 5
    treebanks: tuple[str, ...]
    configurations: tuple[str, ...]
    seeds: tuple[int, ...] = (1,)
    axis: str | None = None
    """PASSES, SENTENCES, an option of the training, of its learner, or of the sample."""
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What differs between a paper and its recipe: data, settings, scorer."""

    what: str
    paper: str
    ours: str


@dataclass(frozen=True, kw_only=True)
class Paper:
    """Figures of a paper, for rows of a table by their names, and how its data differ from ours."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Value, ...]]
    data: str


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """A row of figures that were measured elsewhere, by metric, and where."""

    name: str
    figures: Mapping[str, float]
    source: str


@dataclass(frozen=True, kw_only=True)
class TableOf:
    """A table of a part: what makes a row, and which metrics; all other dimensions go to the columns."""

    title: str
    part: str
    rows: tuple[str, ...] = ("treebank",)
    metrics: tuple[str, ...] = ("LAS",)
    against: str | None = None
    """A configuration: scores that differ from its own by more than chance are marked."""
    mean: bool = False
    """Whether each number is the mean over all treebanks, which then make neither rows nor columns."""
    ranks: bool = False
    """Whether configurations are ranked on each treebank, with the mean of their ranks in a last row."""
    fit: bool = False
    """Whether exponents of growth are fitted to what was measured along the axis."""
    choose: str | None = None
    """A part: for each treebank, only what was best there is shown, ..."""
    over: str = "configuration"
    """... the best configuration, or for each configuration its best value `at` on the axis, ..."""
    by: str = "LAS"
    """... by this metric."""
    paper: Paper | None = None
    elsewhere: tuple[Elsewhere, ...] = ()
    """Rows that no task of the recipe has measured."""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Lines over the axis of a part; configurations of `level`, another part, are horizontal lines."""

    title: str
    part: str
    metric: str = "LAS"
    level: str | None = None


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """Decoders × learners of the products: the mean over the treebanks of a part."""

    title: str
    part: str
    metric: str = "LAS"


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a claim: a configuration, where there is an axis at a value."""

    configuration: str
    at: Value | None = None
    part: str = ""


@dataclass(frozen=True, kw_only=True)
class OfSearch:
    """What a claim says of a search; one of these."""

    search: str
    beam: int | None = None
    """The best set of every generation grew from sets in the first places of the beam, so many."""
    parent: tuple[str, ...] = ()
    best: str = ""
    """The best successor of a set, as the paper writes features."""
    falls: bool = False
    """On the test part the best set of the last generation is worse than that of an earlier one."""
    cheaper_than: str = ""
    """Another search: measuring a set takes longer there."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a paper says, and how these data can test it.

    `better` beats `worse` by a metric: a score, where with `or_equal` it is enough that it is not behind by `margin`
    points, or a cost, which is at least `ratio` times as good. `at_least` is a floor for `better` instead. `untestable`
    says why nothing here can test it.
    """

    text: str
    metric: str = "LAS"
    better: Side | None = None
    worse: Side | None = None
    or_equal: bool = False
    margin: float = MARGIN
    ratio: float = 1.0
    at_least: float | None = None
    treebanks: tuple[str, ...] | None = None
    part: str = ""
    choose: str | None = None
    """A part: `better` is the configuration that was best there."""
    of_search: OfSearch | None = None
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


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """A paper's ranking of the successors of a feature set, best first, to stand beside ours."""

    title: str
    parent: tuple[str, ...]
    paper: Paper


@dataclass(frozen=True, kw_only=True)
class Search:
    """A search for a feature model; configurations use what it found by its name, as `features = "found"`."""

    name: str
    treebank: str
    options: Options
    paper: Paper | None = None
    rankings: tuple[Ranking, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """An experiment, whole or in its quick form."""

    name: str
    title: str
    paper: str
    about: str
    differs: tuple[Difference, ...] = ()
    quick: bool
    sources: Mapping[str, Source]
    configurations: Mapping[str, Configuration]
    parts: Mapping[str, Part]
    punctuation: bool = True
    """Whether p-values are about all words, or without punctuation."""
    alone: bool = False
    """Whether one task runs at a time, whatever the number of workers: for times that can be compared."""
    sentences: int | None = None
    tested: int | None = None
    """How many sentences are learned from and parsed at most."""
    tables: tuple[TableOf, ...] = ()
    plots: tuple[Plot, ...] = ()
    heat_maps: tuple[HeatMap, ...] = ()
    claims: tuple[Claim, ...] = ()
    searches: Mapping[str, Search] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """The name that its journal has: the quick form has one of its own."""
        return f"{self.name}.quick" if self.quick else self.name
