"""A transition parser of support-vector machines with a kernel: many sentences take a step at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from headway.base.errors import HeadwayError
from headway.base.schema import Arrays, Header, Schema
from headway.data.batch import Batch, Ints
from headway.kernels.transition.lockstep import Lockstep
from headway.kernels.transition.setup import ParserSetup
from headway.learners import kernel_svm as machines
from headway.learners.kernel_svm import Machines
from headway.parsers.transition.parser import HEADER, LATER, TransitionParser
from headway.stages.calibration.evidence import Floats
from headway.stages.constraints import Constraints, nearest, with_heads
from headway.stages.contract import Packed
from headway.stages.explanation.contract import Decision, Explanation
from headway.stages.scoring import TransitionScores
from headway.stages.tree_stage import Parsed
from headway.stages.updating import Learned


@dataclass(frozen=True, eq=False)
class KernelParser(TransitionParser):
    """All sentences of a batch take a step together; their decisions are grouped by the machine that makes them."""

    kind: ClassVar[str] = "kernel transition parser"
    schema: ClassVar[Schema] = Schema(HEADER, machines.numbers, machines.relations, LATER)
    rates_labels: ClassVar[bool] = False
    weights: Machines

    def __post_init__(self) -> None:
        """Refuse machines that decide about other classes, or are chosen by a feature that has not one value."""
        super().__post_init__()
        classes, features = len(self.classes), self.templates.features
        if len(self.weights.prior) != classes or self.weights.members.max(initial=0) >= classes:
            raise HeadwayError(f"the machines do not decide between {classes} classes; train the parser again")
        chooser = int(self.weights.template[0])
        if chooser >= len(features) or any(term.attribute == "FEAT" for term in features[chooser].terms):
            raise HeadwayError(f"no feature {chooser} of one value chooses the machine; train the parser again")

    @staticmethod
    def weights_from(header: Header, arrays: Arrays, classes: int) -> Machines:
        """The machines in a model file."""
        return Machines(**{name: arrays[name] for name in Machines._fields})

    def packed_weights(self, header: dict[str, Any]) -> Packed:
        """The machines as a file holds them."""
        return Packed(header, self.weights._asdict())

    def _find(
        self, ready: ParserSetup, offsets: Ints, heads: Ints, labels: Ints, evidence: Floats | None = None
    ) -> None:
        walk = Lockstep(ready, offsets, self.root_label, evidence)
        while len(walk):
            walk.advance(*self.weights.votes(*walk.gather(int(self.weights.template[0]))))
        walk.trees(heads, labels)

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
        """The tree that obeys and has most of the arcs of the one found without constraints, which machines ask not."""
        found = self.trees(batch.alone(index))
        if constraints.hold(found.heads.tolist()):
            return found
        heads = nearest(found.heads, constraints, self.system.projective, self.single_root)
        return None if heads is None else with_heads(found, heads)

    def explain(self, batch: Batch) -> Explanation:
        """Machines compare whole examples, so that no feature has a weight of its own."""
        raise HeadwayError(
            "a kernel transition parser compares whole examples and has no weights of single features to explain;"
            " take a linear learner"
        )

    def wrong_decisions(self, batch: Batch) -> list[Decision]:
        """The same."""
        self.explain(batch)
        return []

    def scores(self, batch: Batch) -> TransitionScores:
        """Machines vote for pairs of classes, and give none a score."""
        raise HeadwayError("a kernel transition parser counts votes and has no scores; take a linear learner")

    def updated(self, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
        """Machines are learned all at once."""
        raise HeadwayError("a kernel transition parser does not learn from single corrections; train it again")

    def continued(self, batches: Sequence[Batch], **how: Any) -> KernelParser:
        """The same."""
        raise HeadwayError("a kernel transition parser is learned all at once and cannot go on; train it again")
