"""A transition parser that makes the decisions of many sentences at once: support-vector machines with a kernel."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from headway.batch import Ints
from headway.kernels.transition.lockstep import Lockstep
from headway.kernels.transition.setup import ParserSetup
from headway.learners.machines import Machines
from headway.stage import Packed
from headway.transition.parser import FrozenWeights, TransitionParser

NO_WEIGHTS = FrozenWeights(np.empty(0, np.uint64), np.empty(0, np.uint32))


@dataclass(frozen=True, eq=False)
class KernelParser(TransitionParser):
    """All sentences of a batch take a step together; their decisions are grouped by the machine that makes them."""

    kind: ClassVar[str] = "kernel transition parser"
    weights: Machines  # type: ignore[assignment]

    def _find(self, ready: ParserSetup, offsets: Ints, heads: Ints, labels: Ints) -> None:
        walk = Lockstep(ready, offsets, self.root_label)
        while len(walk):
            walk.advance(self.weights.scores(*walk.gather(int(self.weights.template[0]))))
        walk.trees(heads, labels)

    @classmethod
    def around(cls, parser: TransitionParser, machines: Machines) -> KernelParser:
        """A parser like another, with machines in place of its weights."""
        same = {field.name: getattr(parser, field.name) for field in fields(parser)}
        return cls(**{**same, "weights": machines})

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> KernelParser:
        """The parser that `pack` packed; in an open file its machines are read when they are used."""
        like = TransitionParser.unpack(Packed(packed.header, NO_WEIGHTS._asdict()), source)
        return cls.around(like, Machines(**packed.arrays))
