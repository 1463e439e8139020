"""Options of segmenters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headway.base.options import named, number, whole, yes_no
from headway.base.stage_options import StageOptions
from headway.learners.registry import ONLINE, learner_from, learner_option
from headway.training.options import find_features
from headway.training.sizes import Sized

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.features.language import Feature
    from headway.learners.online import Online
    from headway.training.contract import Training

FEATURES = "segmenter"
"""The default feature model."""


@dataclass(frozen=True, kw_only=True)
class SegmenterOptions(Sized, StageOptions):
    """Cuts text into sentences and tokens, and splits multiword tokens into words."""

    family: ClassVar[str] = "segmenter"
    title: ClassVar[str] = "segmenter"
    example: ClassVar[str] = "headway train train.conllu --parser segmenter -o segmenter.headway"
    cost: ClassVar[float] = 1.0
    learner: str | Online = learner_option("mira", ONLINE)
    features: str | Sequence[Feature] = named(
        FEATURES,
        "What the segmenter looks at: the name of a feature model, or a file of features.",
        placeholder="NAME|FILE",
    )
    passes: int = whole(10, "How often to go through the treebank.")
    seed: int = whole(1, "Random seed.", low=0)
    shuffle: bool = yes_no(True, "Shuffle the training data before each pass.")
    drop: float = number(
        0.2, "Leave out this share of all features at random in training.", low=0, high=0.9, tried=(0.0, 0.2, 0.3)
    )
    prune: float = number(
        0.1, "Leave out weights below this share of the weights' root mean square; 0 keeps all.", low=0
    )
    patterns: bool = yes_no(
        True, "Take addresses, @names, #tags and numbers as one token each where the treebank does not cut them."
    )

    def ready(self) -> None:
        """Refuse a feature model that does not exist."""
        find_features(self.features)

    @property
    def chosen(self) -> Online:
        """The learner with its passes."""
        found: Online = learner_from(self.learner, {"passes": self.passes})  # type: ignore[assignment]
        return found

    def lack(self, data: Sequence[Batch]) -> str | None:
        """Text, or where there are spaces in it."""
        has_text = (b.format.comments and (b"# text =" in b.text or b"SpaceAfter" in b.text) for b in data)
        return None if any(has_text) else "text (# text or SpaceAfter)"

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.text.segmenter.training import SegmenterTraining

        return SegmenterTraining(self, data)
