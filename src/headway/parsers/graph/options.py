"""Options of graph parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from headway.base.errors import HeadwayError
from headway.base.options import choice, whole, yes_no
from headway.learners.registry import ONLINE, Learner, learner_option
from headway.parsers.graph.registry import DECODERS, LABELS, LOSSES, RIVALS
from headway.training.options import PassOptions, updatable_option

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

AUTO = "auto"
LEARNER_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "pa-1": {"settle": 2},
    "cw": {"average": True, "settle": 2, "initial": 0.01},
    "cw-variance": {"average": True, "settle": 2, "initial": 0.01},
    "arow": {"settle": 2, "r": 1000.0},
}
"""Defaults of learners in graph parsing; the recipe `graph-cw` compares them on development parts.

Averages begin after two passes; CW is averaged as all others are, unlike in transition parsing. Trees differ in
hundreds of features, so that variances are small from the beginning, or shrink slowly.
"""


class DecoderNames:
    """The decoders, and the choice between them that looks at the treebank."""

    def __iter__(self) -> Any:
        return iter([AUTO, *DECODERS])


@dataclass(frozen=True, kw_only=True)
class GraphOptions(PassOptions):
    """A parser that scores every possible arc of a sentence and takes the tree with the best sum; slower."""

    family: ClassVar[str] = "graph"
    title: ClassVar[str] = "graph parser"
    example: ClassVar[str] = "headway train train.conllu -o graph.headway --parser graph"
    cost: ClassVar[float] = 25.0
    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = LEARNER_DEFAULTS
    learner: str | Learner = learner_option("pa-1", ONLINE)
    decoder: str = choice(
        AUTO,
        "decoder",
        DecoderNames(),
        "How to find the best tree; auto decides by the treebank, and by dev if there is one.",
        tried=tuple(DECODERS.own),
    )
    order: int | None = choice(
        None,
        "order",
        (1, 2),
        "1 scores single arcs, 2 also pairs of neighbouring dependents.",
        default_text="2 if the features look at siblings and --k and --rivals allow it, else 1",
        tried=(1, 2),
    )
    labels: str = choice(
        "after", "way to label", LABELS, "Choose labels after all arcs, or together with each arc.", tried=LABELS
    )
    loss: str = choice(
        "rho", "loss", LOSSES, "How bad a tree is: its number of wrong words, or the square root of that.", tried=LOSSES
    )
    counts_labels: bool = yes_no(False, "Count wrong labels as errors too; needs --labels joint.")
    cost_augmented: bool = yes_no(
        True,
        "Learn from trees that have a high score and many errors, or from the best tree.",
        yes="cost-augmented",
        no="best-tree",
        tried=(True, False),
    )
    k: int = whole(1, "How many trees of a sentence to learn from: mira takes all at once, others one by one.")
    rivals: str = choice(
        "best",
        "kind of rivals",
        RIVALS,
        "Learn from the best trees, or from the best wrong ones even where the best tree is right.",
        tried=RIVALS,
    )
    bits: int = whole(
        24,
        "Size of the table of arc weights, 2 to the power of N: a smaller one saves memory, in a larger one fewer"
        " features share a weight.",
        low=8,
        high=29,
    )
    label_bits: int = whole(23, "Size of the table of label weights, 2 to the power of N.", low=8, high=29)
    updatable: bool = updatable_option()

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if self.beyond_the_best and self.order == 2:
            raise HeadwayError(
                f"{self.beyond_the_best}: at order 2 one tree is found at a time; take order 1, or leave it out"
            )
        if self.counts_labels and self.labels != "joint":
            raise HeadwayError(
                "counts_labels needs labels that are chosen together with arcs; take labels joint, or leave it out"
            )

    @property
    def beyond_the_best(self) -> str:
        """What asks for more than the best tree, in words; empty where nothing does."""
        return f"k = {self.k}" if self.k > 1 else "rivals wrong" if self.rivals == "wrong" else ""

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches."""
        from headway.parsers.graph.training import begin

        self.assure_decided()
        return begin(self, data)
