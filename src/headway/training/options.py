"""Options of trainings: of every stage, of every parser, of the training itself; each family adds its own."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from headway.base.errors import HeadwayError, described, known
from headway.base.options import KIND, Options, choice, default_of, kinds, listed, named, pairs, whole, words, yes_no
from headway.base.stage_options import StageOptions, pairs_from
from headway.data.encodings import ENCODINGS
from headway.learners.online import Online
from headway.learners.registry import Learner, has_own_passes, learner_from, name_of
from headway.runs.engines import number_of_workers
from headway.training.families import EARLIER, family_of

if TYPE_CHECKING:
    from headway.features.language import Feature

LIMIT = 30
"""Passes at most where a development treebank tells when to stop."""
IN_PYTHON = {
    "Set an option of the learner, as in phi=0.5; may be repeated. A wrong name lists the right ones.": (
        "Options of the learner by their names, as in {'phi': 0.5}. A wrong name lists the right ones."
    ),
    "Stages to train before the parser; set their options with -O STAGE.NAME=VALUE.": (
        "Stages to learn before the parser; their options are keywords, too: **{'tagger.rare': 2}."
    ),
}
"""Help by that of the command line, where this speaks of words that only a shell has."""
AUTO, OFF = "auto", "off"
"""Where this stands for a number of passes, cross-validation finds it."""
Pass = TypeVar("Pass", bound="InPasses")


@dataclass(frozen=True, kw_only=True)
class LearnedOptions(StageOptions):
    """What can be said of every stage that learns weights of features."""

    features: str | Sequence[Feature] = named(
        "default",
        "What the parser looks at: the name of a feature model, or a file of features.",
        placeholder="NAME|FILE",
        default_text="the features made for this kind of parser",
    )
    options: Mapping[str, Any] = pairs(
        "Set an option of the learner, as in phi=0.5; may be repeated. A wrong name lists the right ones."
    )
    seed: int = whole(1, "Random seed.", low=0)

    def __post_init__(self) -> None:
        """Read options of the learner that came as words, then check all."""
        object.__setattr__(self, "options", pairs_from(self.options))
        super().__post_init__()

    def ready(self) -> None:
        """Refuse a feature model that is not there."""
        find_features(self.features)


@dataclass(frozen=True, kw_only=True)
class InPasses(LearnedOptions):
    """What can be said of a stage that is learned in passes over the treebank; it has a field `learner`."""

    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Defaults that learners have in this family only."""
    passes: int | str | None = whole(
        None,
        "How often to go through the treebank; auto finds the number by cross-validation.",
        words=(AUTO,),
        default_text=f"what suits the learner; with --dev until its LAS stops growing, at most {LIMIT}",
    )
    shuffle: bool = yes_no(True, "Shuffle the training data before each pass.")

    @property
    def chosen(self) -> Learner:
        """The learner with its options and passes."""
        found = learner_from(self.learner, self.options, self.learner_defaults)  # type: ignore[attr-defined]
        return replace(cast(Online, found), passes=self.passes) if isinstance(self.passes, int) else found

    def __post_init__(self) -> None:
        """Refuse passes of a learner that makes none."""
        super().__post_init__()
        found = learner_from(self.learner, self.options, self.learner_defaults)  # type: ignore[attr-defined]
        if self.passes is not None and found.way != Online.way:
            raise HeadwayError(f"{name_of(found)} sees all examples at once, in no passes; leave passes out")

    def assure_decided(self) -> None:
        """Refuse passes that nobody has found yet."""
        if self.passes == AUTO:
            raise HeadwayError("passes = 'auto': find their number by cross-validation first, as headway.train does")

    def with_dev(self: Pass) -> Pass:
        """As many passes as dev asks for, where nobody has said a number."""
        learner: Any = self.learner  # type: ignore[attr-defined]
        said = self.passes is not None or "passes" in self.options
        said = said or (not isinstance(learner, str) and has_own_passes(learner))
        return self if said or self.chosen.way != Online.way else replace(self, passes=LIMIT)


def find_features(wanted: str | Sequence[Feature]) -> None:
    """Refuse the name of a feature model that is not there, and what are no features."""
    from headway.features.language import Feature
    from headway.features.registry import feature_model

    if isinstance(wanted, str):
        if wanted != "default":
            feature_model(wanted)
        return
    for one in wanted if isinstance(wanted, (list, tuple)) else [wanted]:
        if not isinstance(one, Feature):
            what = f"features: expected a feature, got {described(one)}"
            raise HeadwayError(f"{what}; name a feature model or a file, or give headway.features.language.parse(text)")


@dataclass(frozen=True, kw_only=True)
class ParserOptions(LearnedOptions):
    """What can be said of every parser."""

    single_root: bool | None = yes_no(
        None,
        "Give every sentence exactly one root, or allow several.",
        yes="single-root",
        no="several-roots",
        default_text="as in the treebank",
    )
    encoding: str = choice(
        "head",
        "encoding",
        ENCODINGS,
        "How labels record arcs that cross others, so that parsing can restore them.",
        tried=ENCODINGS,
    )
    single_labels: str = choice(
        AUTO,
        "rule for single labels",
        (AUTO, OFF),
        "Some labels, such as nsubj, hardly ever stand twice under a head in the treebank: auto gives such a label at"
        " most once to a head, off lets it double.",
    )
    mark_cutoff: int = whole(10, "Do not record crossing arcs in labels that would be seen fewer times than this.")


@dataclass(frozen=True, kw_only=True)
class PassOptions(InPasses, ParserOptions):
    """What can be said of a parser that is learned in passes over the treebank."""


def updatable_option() -> Any:
    """Whether a model keeps its state of learning."""
    return yes_no(
        False, "Keep in the model what training needs to go on with --continue; makes it several times larger."
    )


SEGMENTER = "segmenter"
PRETAGGER, TAGGER = "pretagger", "tagger"


@dataclass(frozen=True, kw_only=True)
class RunOptions(Options):
    """When to stop, what to choose first, where to go on from."""

    patience: int = whole(3, "Stop after this many passes or rounds without a better dev score.")
    folds: int = whole(
        5,
        "How many parts cross-validation makes: for --passes auto, and for training a stage on the output of another.",
        low=2,
    )
    tune: str | Sequence[str] = words(
        "", "Options to choose on dev first, as in cutoff,explore; a wrong name lists the right ones."
    )
    stages: str | Sequence[str] = words(
        "", "Stages to train before the parser; set their options with -O STAGE.NAME=VALUE."
    )
    pipeline: bool = yes_no(
        False,
        "Learn all stages from text to trees that the treebank allows: segmenter, tagger, lemmatizer, parser.",
    )
    without: str | Sequence[str] = words("", "Stages of a pipeline to leave out, as in segmenter,parser.")
    take: str | Sequence[str] = words(
        "", "Stages to take from other models instead of learning them, as in tagger=english.headway."
    )
    jackknife: bool = yes_no(
        True,
        "Train each stage on what those before it predict for text they have not seen, or on gold columns.",
    )
    workers: int | None = whole(
        None, "How many parts of the treebank to learn from at once.", default_text="one for each processor"
    )
    calibrate: str | None = choice(
        None,
        "way to calibrate",
        ("dev", "cross-validation", "none"),
        "What to learn confidences from: dev, the development treebank; or cross-validation, the treebank itself, each"
        " part parsed by a parser trained on the others, and dev if there is one; this takes a training for each of the"
        " --folds.",
        default_text="dev if there is one, else none",
    )
    resume: bool = yes_no(True, "Continue an interrupted training, or start again.", yes="resume", no="restart")

    def __post_init__(self) -> None:
        """Refuse unknown stages."""
        super().__post_init__()
        for name in self.before:
            family_of(name)
        if self.pipeline and self.stages:
            raise HeadwayError("pipeline names all stages; leave stages out, or say which stages to leave out: without")
        for option, names in (("without", listed(self.without)), ("take", tuple(self.taken))):
            for name in names:
                if name not in (*EARLIER.own, *(["parser"] if option == "without" else self.before)):
                    raise HeadwayError(f"{option}: a pipeline has no stage {name!r}; {known(EARLIER.own)}")
            if names and not (self.pipeline or (option == "take" and self.stages)):
                raise HeadwayError(f"{option} speaks of stages of a pipeline; add pipeline")

    @property
    def tuned(self) -> tuple[str, ...]:
        """The names of options to choose on dev."""
        return listed(self.tune)

    @property
    def before(self) -> tuple[str, ...]:
        """The stages before the parser; of a pipeline all that the treebank may allow."""
        if not self.pipeline:
            return listed(self.stages)
        without = {*listed(self.without), *([PRETAGGER] if TAGGER in listed(self.without) else [])}
        return tuple(name for name in EARLIER.own if name not in without)

    @property
    def has_parser(self) -> bool:
        """Whether a parser is the last stage."""
        return "parser" not in listed(self.without)

    @property
    def taken(self) -> dict[str, str]:
        """The models that stages are to be taken from."""
        pairs = [one.partition("=") for one in listed(self.take)]
        for name, equals, path in pairs:
            if not (name and equals and path):
                raise HeadwayError(f"take = {name!r} names no model; write STAGE=MODEL, as in tagger=english.headway")
        return {name: path for name, _, path in pairs}

    @property
    def at_once(self) -> int:
        """How many parts are learned from at once."""
        return self.workers or number_of_workers()


def same(options: type[Options], name: str, default: Any = MISSING, **changes: Any) -> Any:
    """A field like that of other options, but for its default and what else is said of it."""
    default = default_of(options, name) if default is MISSING else default
    return field(default=default, metadata={KIND: replace(kinds(options)[name], **changes)})


def paragraph(options: type[Options], name: str) -> str:
    """An option with its help, its values and its default, as docstrings of functions that take it show it."""
    kind = kinds(options)[name]
    names = [repr(value) for value in getattr(kind, "names", ())]
    values = f" One of {', '.join(names)}." if names else ""
    default_text = kind.default_text.replace("--", "") or repr(default_of(options, name))
    text = f"{name}: {IN_PYTHON.get(kind.help, kind.help)}{values} Default: {default_text}."
    return textwrap.fill(text, 112, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False)
