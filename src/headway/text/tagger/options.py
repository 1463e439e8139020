"""Options of taggers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.errors import HeadwayError, known
from headway.base.options import choice, listed, number, text, whole, words, yes_no
from headway.data.formats.format import TAGS
from headway.learners.online import Online
from headway.learners.registry import BATCH, ONLINE, Learner, learner_option, name_of
from headway.text.tagger import DECODERS, WIDEST
from headway.training.options import InPasses
from headway.training.sizes import Sized

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

USES = ("features", "rules")


@dataclass(frozen=True, kw_only=True)
class TaggerOptions(Sized, InPasses):
    """Gives words their tags and morphological features."""

    family: ClassVar[str] = "tagger"
    title: ClassVar[str] = "tagger"
    example: ClassVar[str] = "headway train train.conllu --stage tagger -o tagger.headway"
    default_features: ClassVar[str] = "tagger-default"
    learner: str | Learner = learner_option("mira", ONLINE, BATCH)
    gives: str | Sequence[str] = words(
        "", "Columns to fill, as in UPOS,XPOS.", default_text="UPOS, XPOS and FEATS, as far as the treebank has them"
    )
    decoder: str | None = choice(
        None,
        "decoder",
        DECODERS,
        "How to find the tags of a sentence: one word after the other, with a beam, or the best of all.",
        default_text="greedy; beam for batch learners",
    )
    beam: int = whole(5, "How many taggings of a sentence the beam keeps.", high=WIDEST)
    explore: float = number(
        0.9, "How often training sees the tags that the tagger gave to earlier words, right or wrong.", low=0, high=1
    )
    drop: float = number(
        0.25,
        "Leave out this share of all features at random in training.",
        low=0,
        high=0.9,
        tried=(0.0, 0.1, 0.25, 0.4),
    )
    rare: int = whole(10, "Words seen fewer times are rare; features with RARE apply to them only.")
    settled: int = whole(
        40, "Words seen at least this often get only tags that they had in the treebank.", tried=(10, 40, 1_000_000)
    )
    parts: bool = yes_no(
        True,
        "Learn about each tag and morphological feature, too, not only about all of them together.",
        yes="parts",
        no="whole",
    )
    prune: float = number(
        0.2, "Leave out weights below this share of the weights' root mean square; 0 keeps all.", low=0
    )
    lexicon: str = text("", "A lexicon: a file of lines with form, lemma, UPOS and, if you like, XPOS and FEATS.")
    lexicon_as: str = choice(
        "features",
        "use of a lexicon",
        USES,
        "Use the lexicon as advice (features), or allow its words only the tags it lists (rules).",
    )

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        super().__post_init__()
        for name in listed(self.gives):
            if name not in TAGS:
                raise HeadwayError(f"a tagger does not give {name!r}; {known(TAGS)}")
        if self.chosen.way == "kernel":
            raise HeadwayError(f"a tagger cannot learn with {name_of(self.chosen)}; take logistic or mira")

    @property
    def decides_by(self) -> str:
        """The decoder."""
        return self.decoder or ("greedy" if self.chosen.way == Online.way else "beam")

    @property
    def wanted(self) -> tuple[str, ...]:
        """The columns to fill; empty where the treebank decides."""
        return listed(self.gives)

    def ready(self) -> None:
        """Refuse a feature model or a lexicon that does not exist."""
        super().ready()
        assure_lexicon(self.lexicon)

    def lack(self, data: Sequence[Batch]) -> str | None:
        """The columns that it learns to fill."""
        from headway.stages.pipeline import filled

        return None if any(filled(batch, TAGS) for batch in data) else "tags"

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.text.tagger.training import begin

        self.assure_decided()
        return begin(self, data)


def assure_lexicon(path: str) -> None:
    """Refuse a lexicon that does not exist; "" is none."""
    if path:
        from headway.text.lexicon import read_lexicon

        read_lexicon(path)


@dataclass(frozen=True, kw_only=True)
class PretaggerOptions(TaggerOptions):
    """Gives words a first tag, so that the tagger after it sees what is likely to follow a word."""

    family: ClassVar[str] = "pretagger"
    title: ClassVar[str] = "first tagger"
    example: ClassVar[str] = "headway train train.conllu --stages pretagger --parser tagger -o tagger.headway"
    cost: ClassVar[float] = 1.0
