"""Training a graph parser, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from headway.batch import Batch
from headway.batch_parser import attachment
from headway.errors import HeadwayError, known
from headway.graph.parser import GraphParser, Shape
from headway.graph.registry import DECODERS
from headway.graph.work import GraphWork
from headway.learners.online import Online
from headway.learners.registry import ONLINE, Learner, name_of
from headway.model import Array
from headway.passes import PassTrainer

LEARNER = "pa-1"
"""What learns where nothing else is asked for."""
LOSSES = ("rho", "sqrt")
"""A tree's loss is the number of its wrong words, or the square root of that."""


@dataclass(kw_only=True)
class GraphTrainer(PassTrainer[GraphParser, GraphWork]):
    """Learns a graph parser from a treebank: options as fields, `run` does the work pass by pass."""

    checkpoint_kind = "checkpoint of a graph parser"
    decoder: str = "auto"
    """A name of `graph.registry.DECODERS`; `auto` looks at the treebank, and at dev where there is one."""
    single_root: bool | None = None
    """Whether trees have exactly one root; None where the treebank is to decide."""
    shape: Shape = field(default_factory=Shape)
    learner: Learner | str = LEARNER
    loss: str = "rho"
    counts_labels: bool = False
    """Whether a wrong label is a loss too, which needs joint labels."""
    cost_augmented: bool = True
    """Learn from the tree that is best when each wrong arc gets a bonus of 1, not from the best tree."""
    k: int = 1
    """Trees that `mira` learns from at once, at order 1."""

    def begin(self, learner: Learner, batches: Sequence[Batch]) -> GraphWork:
        if not isinstance(learner, Online):
            raise HeadwayError(f"{name_of(learner)} does not learn from trees; {known(ONLINE)}")
        if self.loss not in LOSSES:
            raise HeadwayError(f"unknown loss {self.loss!r}; {known(LOSSES)}")
        if self.k < 1 or (self.k > 1 and (name_of(learner) != "mira" or self.shape.order == 2)):
            raise HeadwayError(f"k = {self.k}: only mira at order 1 learns from several trees at once; leave k out")
        if self.k > 1 and self.decoder not in ("auto", *DECODERS.own):
            raise HeadwayError(f"k = {self.k}: decoder {self.decoder} finds one tree at a time; leave k out")
        if self.counts_labels and self.shape.labels != "joint":
            raise HeadwayError(
                "wrong labels can count as a loss where labels are joint; choose labels joint, or leave it"
            )
        return GraphWork(self, learner, batches)

    def _judged(self, parser: GraphParser, dev: Sequence[Batch]) -> tuple[GraphParser, float, float]:
        """The parser with its scores on dev; where the decoder is free, with the better one."""
        found = [(parser, *attachment(parser, dev))]
        if self.decoder == "auto":
            other = next(name for name in DECODERS.own if name != parser.shape.decoder)
            changed = replace(parser, shape=replace(parser.shape, decoder=other))
            found.append((changed, *attachment(changed, dev)))
        return max(found, key=lambda entry: entry[1])

    def _identity(self, work: GraphWork) -> dict[str, Any]:
        options = [self.decoder, self.loss, self.counts_labels, self.cost_augmented, self.k]
        return {"shape": asdict(work.shape), "options": options}

    def _described(self, parser: GraphParser) -> tuple[dict[str, Any], dict[str, Array]]:
        return {"shape": asdict(parser.shape), "scale": parser.scale}, {"weights": parser.weights}

    def _rebuilt(self, parser: GraphParser, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> GraphParser:
        weights = np.array(arrays["weights"])
        return replace(parser, shape=Shape(**header["shape"]), scale=header["scale"], weights=weights)
