"""Options of a search for features, and what can be searched for: families, their scores, what features look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from headway.base.errors import HeadwayError, known
from headway.base.options import Options, choice, default_of, listed, named, number, pairs, whole, words, yes_no
from headway.base.stage_options import StageOptions, pairs_from
from headway.evaluation.definitions import DEFINITIONS
from headway.features.language import Address
from headway.learners.online import Online
from headway.learners.registry import Learner, learner_from, name_of
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.segmenter.options import SegmenterOptions
from headway.text.tagger.options import TaggerOptions
from headway.training.options import same

if TYPE_CHECKING:
    from headway.features.language import Feature

PAPER = ("POS", "LEX", "DEP")
"""The attributes of Nilsson and Nugues (2010)."""
EXTENDED = (*PAPER, "UPOS", "LEMMA", "FEATS", "SUFFIX2", "SUFFIX3")
DECIDED = ("UPOS", "XPOS", "FEATS")
"""What taggers decide, and so know of earlier words only."""
WORDS = (
    *("FORM", "LOWER", "SHAPE", "PREFIX1", "PREFIX2", "PREFIX3", "SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4"),
    *("KNOWN", "LOWERKNOWN", "LIKELY", "ANALYSES", "AGREES"),
    *DECIDED,
)
FORMS = (
    *("SHAPE", "LOWER", "PREFIX1", "PREFIX2", "PREFIX3", "SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4", "SUFFIX5"),
    *DECIDED,
)
CUT = "CUT"
"""What segmenters decide."""
CHARACTERS = (
    *("FORM", "SHAPE", "SPACE", "INSIDE", "LEFT", "RIGHT", "LEFTLOWER", "RIGHTLOWER", "LEFTSHAPE", "RIGHTSHAPE", CUT),
    *("LOWER", "LEAD", "TAIL", "CORE", "CORELOWER", "CORESHAPE", "COREEND", "LENGTH", "CASE", "DOTTED"),
)
READINGS = ("UPOS", "XPOS", "LEMMA", "FORM", "LOWER", "SUFFIX2", "SUFFIX3", "PREFIX3", "FEATS", "DEP")
"""What a search from a feature model looks at, beside the morphological features by their names."""
SETS = {
    "paper": PAPER,
    "extended": EXTENDED,
    "readings": READINGS,
    "words": WORDS,
    "forms": FORMS,
    "characters": CHARACTERS,
}
"""Names for several attributes."""


class SearchedFamily(NamedTuple):
    """What a search must know of a family."""

    options: type[StageOptions]
    """Those of the stages that are trained."""
    metrics: tuple[str, ...]
    """The scores of a candidate; the last one is improved where nothing else is asked for."""
    attributes: str
    """The set of attributes that is searched by default."""
    first: tuple[Address, ...]
    """The places at which a search without any feature begins."""
    foreign: tuple[str, ...] = ()
    """Options of a search that the family does not know."""
    decided: tuple[str, ...] = ()
    """Attributes that the stage decides about: features may look at those of earlier words."""


TREES = ("UAS", "LAS")
WORD = (Address("WORD", 0),)
OF_SYSTEMS = ("system", "root", "prune")
OF_PARSERS = (*OF_SYSTEMS, "start", "encoding", "two_step", "paper", "definition")
FAMILIES: Mapping[str, SearchedFamily] = {
    one.options.family: one
    for one in (
        SearchedFamily(TransitionOptions, TREES, "paper", (Address("QUEUE", 0),)),
        SearchedFamily(GraphOptions, TREES, "paper", (Address("CHILD", 0), Address("PARENT", 0)), OF_SYSTEMS),
        SearchedFamily(TaggerOptions, ("UPOS", "AllTags"), "words", WORD, OF_PARSERS, DECIDED),
        SearchedFamily(LemmatizerOptions, ("Lemmas",), "forms", WORD, OF_PARSERS),
        SearchedFamily(
            SegmenterOptions,
            ("Tokens", "Segments"),
            "characters",
            (Address("CHAR", 0),),
            (*OF_PARSERS, "punctuation"),
            (CUT,),
        ),
    )
}
METRICS = tuple(dict.fromkeys(name for family in FAMILIES.values() for name in reversed(family.metrics)))
"""All scores that a search can improve."""
GROWN = (
    *("folds", "beam", "threshold", "patience", "moves", "largest", "pairs", "two_step", "encoding", "paper"),
    *("race", "keep", "least", "check_racing"),
)
"""Options of a search that lets a set grow from nothing."""
OWN = ("options", "seed", "learner", "passes", "system", "root", "prune")
"""Options of the parsers that both searches know."""
KERNEL = "kernel"
"""How learners learn whose kernel makes pairs of features."""
PASSES = 3
"""Passes of an online learner where nothing else is asked for: enough to tell features apart."""
OF_PAPER: Mapping[str, Any] = {
    "learner": "kernel-svm",
    "options": {"C": 0.4, "gamma": 0.2, "tolerance": 0.1, "split": None},
    "pairs": False,
    "race": False,
}
"""The learner of Nilsson and Nugues (2010): LIBSVM with a quadratic kernel, which makes pairs itself."""


@dataclass(frozen=True, kw_only=True)
class DiscoveryOptions(Options):
    """How to search, and how candidates are measured."""

    folds: int | None = whole(
        None, "Measure by cross-validation with this many folds, not on a development treebank.", low=2
    )
    metric: str | None = choice(
        None,
        "metric",
        METRICS,
        "Which score to improve.",
        default_text="LAS; AllTags for taggers, Lemmas for lemmatizers, Segments for segmenters",
    )
    beam: int = whole(4, "How many of the best sets to continue from; 1 is a greedy search.")
    generations: int = whole(16, "Stop after this many generations.")
    threshold: float = number(0.0, "A gain counts only if it is more than this many points.")
    patience: int = whole(2, "Stop after this many generations without a gain.")
    significance: float | None = number(
        None,
        "A gain counts only if its p-value is below this, as in 0.05.",
        low=0,
        high=1,
        default_text="every gain counts",
    )
    attributes: str | Sequence[str] = words(
        "",
        "What features look at: paper (POS,LEX,DEP), extended (also UPOS,LEMMA,FEATS,SUFFIX2,SUFFIX3), or names.",
        default_text="paper; words for taggers, forms for lemmatizers, characters for segmenters",
    )
    moves: str | Sequence[str] = words("add", "How to change a set: add a feature, join features, drop one.")
    largest: int = whole(3, "How many terms a joined feature may have.", low=2)
    start: str | Sequence[Feature] = named(
        (),
        "Feature model to improve by whole groups of features: a name, or a file.",
        placeholder="NAME|FILE",
        default_text="nothing, from which a set grows feature by feature",
    )
    minutes: float = number(30.0, "With --start: end the search after about so many minutes.", low=0, above=True)
    parser: str = choice("transition", "parser", FAMILIES, "Family of the parser, or another stage.")
    system: str = same(TransitionOptions, "system")
    root: str | None = same(TransitionOptions, "root")
    learner: str | Learner | None = same(TransitionOptions, "learner", None, optional=True, default_text="mira")
    options: Mapping[str, Any] = pairs(
        "Set an option of the learner, as in phi=0.5; may be repeated. A wrong name lists the right ones."
    )
    passes: int | None = whole(None, "How often an online learner goes through the treebank.", default_text=str(PASSES))
    pairs: bool | None = yes_no(None, "Use all pairs of features too.", default_text="yes; no with a kernel")
    two_step: bool = same(TransitionOptions, "two_step", True)
    encoding: str = same(TransitionOptions, "encoding", "none")
    prune: float | None = number(
        None, "Leave out weights below this share of the weights' root mean square.", low=0, default_text="as in train"
    )
    paper: bool = yes_no(False, "Use the paper's learner, LIBSVM with a quadratic kernel: for small treebanks.")
    race: bool | None = yes_no(
        None,
        "Compare sets on part of the data first, and measure only the best in full.",
        default_text="yes; no with --paper",
    )
    keep: float = number(0.1, "The share of sets to measure in full.", low=0, above=True, high=1)
    least: int = whole(12, "Measure at least this many sets in full.")
    check_racing: bool = yes_no(False, "Measure all sets in full too, and report what racing would change.")
    definition: str | None = choice(
        None, "definition", DEFINITIONS, "What counts as right.", default_text="as in evaluate"
    )
    punctuation: bool | None = yes_no(None, "Count punctuation too.", default_text="as in evaluate")
    seed: int = whole(1, "Random seed.", low=0)

    def __post_init__(self) -> None:
        """Refuse what contradicts the paper, and options that the learner does not have."""
        object.__setattr__(self, "options", pairs_from(self.options))
        super().__post_init__()
        if self.paper:
            for name, value in OF_PAPER.items():
                said = getattr(self, name)
                if said not in (None, {}, value):
                    raise HeadwayError(
                        f"{name} = {said!r} is not what the paper has ({value!r}); leave out paper, or {name}"
                    )
        if self.improved not in self.searched.metrics:
            raise HeadwayError(
                f"no {self.improved} of a {self.parser} stage can be improved; {known(self.searched.metrics)}"
            )
        for name in GROWN if self.start else ("minutes",):
            if getattr(self, name) != default_of(type(self), name):
                kind = "from a feature model" if self.start else "from nothing"
                raise HeadwayError(
                    f"{name} = {getattr(self, name)!r}: a search {kind} has no such option; leave it out"
                )
        for name in self.searched.foreign:
            if getattr(self, name) != default_of(type(self), name):
                raise HeadwayError(f"{name} = {getattr(self, name)!r}: a {self.parser} stage has none; leave it out")
        self.measured  # noqa: B018

    @property
    def searched(self) -> SearchedFamily:
        """What a search knows of the family."""
        return FAMILIES[self.parser]

    @property
    def improved(self) -> str:
        """The score to improve."""
        return self.metric or self.searched.metrics[-1]

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The attributes to search over."""
        return listed(self.attributes) or (("readings",) if self.start else (self.searched.attributes,))

    @property
    def measured(self) -> StageOptions:
        """The options with which candidates are measured, but for their features."""
        if self.start:
            own = {name: getattr(self, name) for name in OWN if name not in self.searched.foreign}
            return self.searched.options(**{name: value for name, value in own.items() if value is not None})
        how: dict[str, Any] = {"learner": self.chosen, "seed": self.seed}
        if self.parser in ("transition", "graph"):
            how["encoding"] = self.encoding
        if self.parser == "graph":
            how |= {"decoder": "eisner", "order": 1}
        if self.parser == "transition":
            how |= {name: getattr(self, name) for name in ("system", "root", "two_step", "prune")} | {"explore": 0.0}
        return self.searched.options(**how)

    @property
    def chosen(self) -> Learner:
        """The learner with its options and passes."""
        wanted: Any = OF_PAPER["learner"] if self.paper else self.learner or "mira"
        given = OF_PAPER["options"] if self.paper else self.options
        found = learner_from(wanted, given)
        if found.way != Online.way:
            if self.passes is not None:
                raise HeadwayError(f"{name_of(found)} sees all examples at once, in no passes; leave passes out")
            return found
        passes = self.passes or (None if "passes" in given or not isinstance(wanted, str) else PASSES)
        return replace(cast(Online, found), passes=passes) if passes else found

    @property
    def pairs_count(self) -> bool:
        """Whether all pairs of the features count too; a kernel makes pairs itself."""
        return self.chosen.way != KERNEL if self.pairs is None else self.pairs

    @property
    def races(self) -> bool:
        """Whether a short look comes first."""
        return (not self.paper) if self.race is None else self.race
