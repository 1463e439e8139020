"""Options of boosted parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from headway.base.errors import HeadwayError, known
from headway.base.options import Options, choice, named, positive, whole, yes_no
from headway.learners.online import Online
from headway.learners.registry import (
    BATCH,
    ONLINE,
    SCIKIT,
    WEIGHTED,
    Classifier,
    Learner,
    kind_of,
    learner_from,
    learner_option,
)
from headway.parsers.boosted.registry import FORMS, SCHEMES
from headway.training.options import ParserOptions, find_features

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.features.language import Feature
    from headway.parsers.boosted.schemes import Scheme
    from headway.training.contract import Training

KEEP = ("last", "best", "ensemble", "vote")
STATES = ("gold", "predicted")
ADDITIVE = "additive"
PAIRS = {"exponential": {"strength": 1.0}}
"""Defaults of learners of links; docs/boosting.md says how λ was chosen."""
LABELS = {"exponential": {"tolerance": 0.01}}
"""Defaults of learners of labels, of which there are many."""


@dataclass(frozen=True, kw_only=True)
class BoostedOptions(ParserOptions):
    """A parser that learns links between words in rounds, each from what the last one got wrong; slow."""

    family: ClassVar[str] = "boosted"
    title: ClassVar[str] = "boosted parser"
    example: ClassVar[str] = "headway train train.conllu -o boosted.headway --parser boosted"
    cost: ClassVar[float] = 60.0
    learner: str | Learner | Classifier = learner_option(
        "exponential", WEIGHTED, ONLINE, BATCH, scikit=True, help="Learning algorithm for links."
    )
    label_learner: str | Learner | Classifier = learner_option(
        "exponential", WEIGHTED, ONLINE, BATCH, scikit=True, help="Learning algorithm for labels."
    )
    label_features: str | Sequence[Feature] = named(
        "default",
        "What the choice of labels looks at: the name of a feature model, or a file.",
        placeholder="NAME|FILE",
        default_text="the features made for labels",
    )
    passes: int | None = whole(
        None, "How often an online learner goes through the examples.", default_text="what suits the learner"
    )
    rounds: int = whole(4, "How many rounds to train.")
    boosting: str | Scheme = choice(
        ADDITIVE,
        "boosting scheme",
        SCHEMES,
        "Boosting scheme: how mistakes gain importance.",
        things=True,
        tried=tuple(SCHEMES.own),
    )
    constant: float | None = positive(
        None, "How much importance a mistake adds to an example.", default_text="1, with additive"
    )
    held_out: int | None = whole(
        None,
        "Find mistakes by cross-validation with this many folds.",
        low=2,
        default_text="on the training data itself",
    )
    keep: str | None = choice(
        None,
        "choice of rounds",
        KEEP,
        "Which rounds to keep in the model.",
        default_text="ensemble; with --boosting additive the last, or the best on --dev",
    )
    decoder: str = choice("split-head", "decoder", FORMS, "How to find the best tree; both find the same one.")
    dynamic: bool = yes_no(
        True,
        "Whether features see the links that both words have already.",
        yes="dynamic",
        no="static",
        tried=(True, False),
    )
    states: str = choice(
        "gold",
        "source of states",
        STATES,
        "Where training takes those links from: gold trees, or from round 2 on the trees of the round before.",
        tried=STATES,
    )
    partitioned: bool = yes_no(
        True,
        "Learn a model for each pair of tags, or one for all word pairs.",
        yes="partitioned",
        no="whole",
        tried=(True, False),
    )
    cutoff: int = whole(1, "Ignore features seen fewer times than this.", tried=(1, 2, 3))
    threads: int = whole(1, "How many threads to train with; the parser is the same.", decides=False)

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if not isinstance(self.boosting, str) and not hasattr(self.boosting, "begin"):
            raise HeadwayError(f"boosting = {self.boosting!r} is not a boosting scheme; {known(SCHEMES)}")
        if self.constant is not None and not isinstance(self.boosting, str):
            raise HeadwayError(f"constant = {self.constant}: the scheme is made already; say the constant there")
        if self.constant is not None and self.boosting != ADDITIVE:
            raise HeadwayError(f"{self.boosting} has no constant; leave it out, or take additive")
        for wanted, given, default_text in ((self.learner, self.options, PAIRS), (self.label_learner, {}, LABELS)):
            if isinstance(wanted, Options) or (isinstance(wanted, str) and not wanted.startswith(SCIKIT)):
                learner_from(cast(Learner, wanted), given, default_text)
        if self.states != "gold" and not self.dynamic:
            raise HeadwayError(f"states = {self.states}: static features see no states; leave it out, or say dynamic")
        if self.passes is not None and not any(map(_makes_passes, (self.learner, self.label_learner))):
            raise HeadwayError(f"passes = {self.passes}: {self.learner} makes no passes; leave them out, or say rounds")

    def with_dev(self) -> BoostedOptions:
        """Dev chooses the best round, where each round stands for itself."""
        return replace(self, keep="best") if self.keep is None and self.is_additive else self

    @property
    def kept(self) -> str:
        """What is kept of the rounds: those of `additive` stand for themselves, those of other schemes go together."""
        return self.keep or ("last" if self.is_additive else "ensemble")

    @property
    def is_additive(self) -> bool:
        """Whether mistakes add to their importance."""
        wanted: Any = self.boosting
        return bool((wanted if isinstance(wanted, str) else SCHEMES.name_of(type(wanted))) == ADDITIVE)

    def ready(self) -> None:
        """Refuse a feature model that is not there."""
        super().ready()
        find_features(self.label_features)

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.parsers.boosted.training import BoostedTraining

        return BoostedTraining(self, data)


def _makes_passes(learner: str | Learner | Classifier) -> bool:
    if isinstance(learner, str):
        return learner in ONLINE and kind_of(learner).way == Online.way
    return getattr(learner, "way", "") == Online.way
