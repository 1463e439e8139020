"""Options of lemmatizers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.options import number, whole
from headway.learners.registry import ONLINE, Learner, learner_option
from headway.text.tagger.options import TaggerOptions, assure_lexicon
from headway.training.options import InPasses, same
from headway.training.sizes import Sized

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

RULES = "rules"


@dataclass(frozen=True, kw_only=True)
class LemmatizerOptions(Sized, InPasses):
    """Gives words their lemmas: known words by heart, new ones by their forms and tags."""

    family: ClassVar[str] = "lemmatizer"
    title: ClassVar[str] = "lemmatizer"
    example: ClassVar[str] = "headway train train.conllu --stage lemmatizer -o lemmas.headway"
    default_features: ClassVar[str] = "lemmatizer"
    cost: ClassVar[float] = 2.0
    learner: str | Learner = learner_option("mira", ONLINE)
    drop: float = same(TaggerOptions, "drop", 0.1, tried=(0.0, 0.1, 0.2))
    prune: float = same(TaggerOptions, "prune", 0.1)
    sure: float = number(
        0.9,
        "Know a word by heart if at least this share of its occurrences has the same lemma.",
        low=0.5,
        high=1,
        tried=(0.8, 0.9, 0.98),
    )
    cutoff: int = whole(1, "Use an edit script for new words if at least this many words had it.", tried=(1, 2, 3))
    familiar: float = number(
        1.0,
        "For a new word, prefer a lemma that the treebank has if it scores at most this much below the best.",
        low=0,
        tried=(0.0, 0.5, 1.0, 2.0),
    )
    lexicon: str = same(TaggerOptions, "lexicon")
    lexicon_as: str = same(
        TaggerOptions,
        "lexicon_as",
        RULES,
        help="Use the lexicon as advice (features), or allow its words only the lemmas it lists (rules).",
    )

    def ready(self) -> None:
        """Refuse a feature model or a lexicon that does not exist."""
        super().ready()
        assure_lexicon(self.lexicon)

    def lack(self, data: Sequence[Batch]) -> str | None:
        """The columns that it learns to fill."""
        from headway.stages.pipeline import filled

        return None if any(filled(batch, ("LEMMA",)) for batch in data) else "lemmas"

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.text.lemmatizer.training import LemmatizerTraining

        self.assure_decided()
        return LemmatizerTraining(self, data)
