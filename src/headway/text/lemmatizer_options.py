"""Options of lemmatizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from headway.errors import HeadwayError
from headway.learned_options import find_features
from headway.learners.registry import ONLINE, learner_from, learner_option
from headway.options import StageOptions, choice, named, number, pairs, pairs_from, whole, yes_no

if TYPE_CHECKING:
    from headway.batch import Batch
    from headway.features.language import Feature
    from headway.learners.online import Online
    from headway.training.contract import Training

FEATURES = "lemmatizer"
"""The feature model that is taken by default."""
RULES, HINTS = "rules", "features"


@dataclass(frozen=True, kw_only=True)
class LemmatizerOptions(StageOptions):
    """Gives words their lemmas: by heart where the treebank knows them, by what forms and tags tell for others."""

    family: ClassVar[str] = "lemmatizer"
    title: ClassVar[str] = "lemmatizer"
    example: ClassVar[str] = "headway train train.conllu --parser lemmatizer -o lemmas.headway"
    learner: str | Online = learner_option("mira", ONLINE)
    options: Mapping[str, Any] = pairs(
        "Set an option of the learner, as in phi=0.5; may be repeated. A wrong name lists the right ones."
    )
    features: str | Sequence[Feature] = named(
        FEATURES,
        "What the lemmatizer looks at: the name of a feature model, or a file of features.",
        placeholder="NAME|FILE",
    )
    passes: int = whole(6, "How often to go through the treebank.", tried=(4, 6, 10))
    seed: int = whole(1, "Random seed.", low=0)
    shuffle: bool = yes_no(True, "Shuffle the training data before each pass.")
    drop: float = number(
        0.1, "Leave out this share of all features at random in training.", low=0, high=0.9, tried=(0.0, 0.1, 0.2)
    )
    prune: float = number(
        0.1, "Leave out weights below this share of the weights' root mean square; 0 keeps all.", low=0
    )
    sure: float = number(
        0.9,
        "Know a word by heart where this share of its occurrences has the same lemma.",
        low=0.5,
        high=1,
        tried=(0.8, 0.9, 0.98),
    )
    cutoff: int = whole(1, "Use an edit script for new words where it was seen with this many words.", tried=(1, 2, 3))
    familiar: float = number(
        1.0,
        "How much worse a lemma of a new word may score than the best and be taken because the treebank has it.",
        low=0,
        tried=(0.0, 0.5, 1.0, 2.0),
    )
    lexicon: str | None = named(
        None,
        "Lexicon with lines of form, lemma, UPOS and perhaps XPOS and FEATS, separated by tabs.",
        placeholder="FILE",
        optional=True,
        unsaid="none",
    )
    lexicon_as: str = choice(
        RULES,
        "use of a lexicon",
        (RULES, HINTS),
        "Whether lemmas of the lexicon are always taken, or only tell something.",
    )

    def __post_init__(self) -> None:
        """Read options of the learner that came as words, then check all."""
        object.__setattr__(self, "options", pairs_from(self.options))
        super().__post_init__()
        if self.lexicon is not None and not isinstance(self.lexicon, str):
            raise HeadwayError(f"lexicon = {self.lexicon!r} is no path; name a file")
        self.chosen  # noqa: B018

    def ready(self) -> None:
        """Refuse a feature model and a lexicon that are not there."""
        find_features(self.features)
        if self.lexicon is not None:
            from headway.text.lexicon import read_lexicon

            read_lexicon(self.lexicon)

    @property
    def chosen(self) -> Online:
        """The learner with its options and passes."""
        found: Online = learner_from(self.learner, {**self.options, "passes": self.passes})  # type: ignore[assignment]
        return found

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.text.lemmatizer_training import LemmatizerTraining

        return LemmatizerTraining(self, data)
