"""What a recipe says: treebanks, configurations of parsers, what is measured, what is shown, what is claimed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from headway.base.errors import shown
from headway.evaluation.definitions import ALL, UD
from headway.lab.entries import Problems, entry
from headway.lab.plans import CONFIGURATIONS, TREEBANKS, Claim, HeatMapPlan, PaperFigures, PlotPlan, TablePlan, Value

Options = Mapping[str, Any]
ANNOTATED = "annotated"
"""The axis whose values are the per cent of the words annotated so far, in one simulation of annotating."""
PASSES = ("passes", "rounds", ANNOTATED)
"""The axes whose values are the passes of one training, its rounds, or the steps of a simulation."""
SENTENCES = "sentences"
"""The axis whose values are numbers of training sentences."""
MOST_CONFIGURATIONS, MOST_TASKS = 1_000, 100_000
"""Configurations of a product, and tasks of a part."""
MEASURED_ON = ("test", "dev", "held-out", "folds", "train")
FILES = ("train", "dev", "test")


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where sentences come from: a folder with `train`, `dev` and `test`, or `headway sample`."""

    treebank: str = ""
    """The folder's name; where it is empty, sentences are generated."""
    files: Mapping[str, str] = entry({}, among=FILES)
    """For a part, the file that is taken instead of the one of its name; `FOLDER/FILE` is of another treebank."""
    genres: Mapping[str, tuple[str, ...]] = entry({}, among=FILES)
    """For a part, how the `sent_id` of its sentences begins, up to a hyphen."""
    sample: Options = entry({})
    """Options of `headway.data.sample.Sample` for the training part; `length` joins sentences to longer ones."""
    first: int | None = None
    """Only so many sentences of the training part are there; None for all."""

    def problems(self, declared: Any) -> Problems:
        """No sentences, or two sources of them."""
        if self.first is not None and self.first < 1:
            yield f"first = {self.first}", "give a number of sentences from 1 on"
        if bool(self.treebank) == bool(self.sample):
            yield "a source is a treebank or a sample", 'write treebank = "…" or sample = {…}, not both'


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A way to train: options of `headway.train`, or a peer's."""

    name: str
    options: Options = entry({})
    treebanks: tuple[str, ...] | None = None
    """The treebanks that it is tried on; None for all."""
    seeds: tuple[int, ...] = ()
    """Its own seeds, instead of those of a part: fewer for what takes long, more for what is to be repeated."""
    minutes: float | None = None
    """After so long a training is given up."""
    decoder: str = entry("", name=None)
    learner: str = entry("", name=None)
    """Row and column in a heat map, where the configuration comes from a product."""


@dataclass(frozen=True, kw_only=True)
class Product:
    """Every decoder with every learner, as options by their names."""

    decoders: Mapping[str, Options]
    learners: Mapping[str, Options]
    treebanks: tuple[str, ...] | None = None
    minutes: float | None = None

    def problems(self, declared: Any) -> Problems:
        """Too many of them."""
        count = len(self.decoders) * len(self.learners)
        if count > MOST_CONFIGURATIONS:
            yield f"{count:,} configurations", f"at most {MOST_CONFIGURATIONS:,} are possible, so name fewer"

    def configurations(self) -> Iterator[Configuration]:
        """One for each two."""
        for decoder, fixed in self.decoders.items():
            for learner, options in self.learners.items():
                yield Configuration(
                    name=f"{decoder} × {learner}",
                    options={**fixed, **options},
                    treebanks=self.treebanks,
                    minutes=self.minutes,
                    decoder=decoder,
                    learner=learner,
                )


@dataclass(frozen=True, kw_only=True)
class MeasureGrid:
    """A part of a recipe, a grid of measures: configurations × treebanks × seeds × the values of an axis."""

    name: str
    on: str = entry("test", among=MEASURED_ON)
    """What is parsed: `test`, `dev`, every tenth training sentence `held-out`, `folds`, or `train`."""
    text: bool = False
    """Whether the raw text of that is given, without sentences, words and tags; scores are then those of UD."""
    confidence: bool = False
    """Whether the parser is asked how sure it is of each head, and that is scored, too."""
    labels: tuple[str, ...] = ()
    """Labels whose own scores are kept, too, for metrics such as `LAS:nsubj`."""
    folds: int = 5
    treebanks: tuple[str, ...] = ()
    configurations: tuple[str, ...] = entry((), among=CONFIGURATIONS)
    """In a file, none stands for all, as for treebanks."""
    seeds: tuple[int, ...] = ()
    axis: str | None = None
    """PASSES, SENTENCES, an option of the training, of its learner, or of the sample."""
    values: tuple[Value, ...] = ()
    quick: tuple[Value, ...] = ()
    """The values of the quick form, where they are others."""

    def problems(self, declared: Any) -> Problems:
        """An axis without values or with wrong ones, too few folds."""
        if self.axis not in (None, *PASSES) and not self.values:
            yield f"the axis {shown(str(self.axis))} has no values", "add values = [1, 2, 3]"
        allowed = (int,) if self.axis == SENTENCES else (int, float, str)
        for value in (*self.values, *self.quick):
            if not isinstance(value, allowed):
                yield f"{self.axis} cannot be {shown(str(value))}", "give numbers, as values = [1, 2, 3]"
        if self.text and self.on not in ("test", "dev"):
            yield f"{self.on} is not running text", 'write on = "test" or on = "dev" beside text = true'
        if self.confidence and (self.text or self.on == "folds" or self.axis in PASSES):
            yield "confidences are those of a finished parser for the words of one file", 'write on = "test" alone'
        if self.folds < 2:
            yield f"{self.folds} folds are too few", "give 2 or more"


@dataclass(frozen=True, kw_only=True)
class PaperRanking:
    """A paper's ranking of the successors of a feature set, best first, to stand beside ours."""

    title: str
    parent: tuple[str, ...]
    paper: PaperFigures


@dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """A search for a feature model; configurations use what it found by its name, as `features = "found"`."""

    name: str
    treebank: str = entry(among=TREEBANKS, first=("there is no treebank", "add treebanks = […]"))
    options: Options = entry({})
    paper: PaperFigures | None = None
    rankings: tuple[PaperRanking, ...] = entry((), name="ranking")


class Declared(NamedTuple):
    """What a file has declared before what it shows and claims, for names to be checked against."""

    parts: Mapping[str, MeasureGrid]
    configurations: Mapping[str, Configuration]
    treebanks: Collection[str]
    punctuation: bool
    searches: Sequence[str] = ()
    quick: bool = False


@dataclass(frozen=True, kw_only=True)
class PaperDifference:
    """What differs between a paper and its recipe: data, settings, scorer."""

    what: str
    paper: str
    ours: str


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """An experiment, whole or in its quick form."""

    name: str
    title: str
    paper: str = ""
    about: str = ""
    caution: str = ""
    """Why its results say less than they seem to, until that is measured."""
    differs: tuple[PaperDifference, ...] = ()
    quick: bool
    imports: Mapping[str, str] = field(default_factory=dict)
    """Files of Python that register parts, and digests of what they hold."""
    sources: Mapping[str, Source]
    configurations: Mapping[str, Configuration]
    parts: Mapping[str, MeasureGrid]
    definition: str = entry(UD.name, among=(UD.name, ALL.name))
    """What LAS counts: labels without subtypes, or whole ones; the names of metrics say whether punctuation counts."""
    punctuation: bool = True
    """Whether p-values are about all words, or without punctuation."""
    alone: bool = False
    """Whether one task runs at a time, whatever the number of workers: for times that can be compared."""
    sentences: int | None = None
    tested: int | None = None
    """How many sentences are learned from and parsed at most."""
    tables: tuple[TablePlan, ...] = entry((), name="table")
    plots: tuple[PlotPlan, ...] = entry((), name="plot")
    heat_maps: tuple[HeatMapPlan, ...] = entry((), name="heatmap")
    claims: tuple[Claim, ...] = entry((), name="claim")
    searches: Mapping[str, SearchPlan] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """The name that its journal has: the quick form has one of its own."""
        return f"{self.name}.quick" if self.quick else self.name
