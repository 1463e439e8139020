"""Options of a training, whatever is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headway.base.errors import HeadwayError, known
from headway.base.options import Options, choice, listed, whole, words, yes_no
from headway.runs.jobs import number_of_workers
from headway.training.families import EARLIER, family_of

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
        "What to learn confidences from: dev, or the treebank itself part by part, and dev if there is one, which takes"
        " a training for each of the --folds.",
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
