"""A parser that another distribution could bring: every word hangs on a neighbour. It says nothing of itself."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from headway.base.options import yes_no
from headway.base.schema import CELL, FLAG, Layout, Schema
from headway.base.stage_options import StageOptions
from headway.data.sources import digest_of
from headway.stages.contract import Packed
from headway.stages.tree_stage import Parsed, TreeStage

ENTRIES = """
[headway.families]
branching = installed_parser:BranchingOptions

[headway.stages]
branching parser = installed_parser:Branching
"""


@dataclass(frozen=True, eq=False)
class Branching(TreeStage):
    """Every word hangs on its neighbour, with the label that is most frequent."""

    kind: ClassVar[str] = "branching parser"
    schema: ClassVar[Schema] = Schema({"right": FLAG, "label": CELL})
    needs: ClassVar[frozenset[str]] = frozenset()
    right: bool
    label: str
    about: dict[str, Any] = field(default_factory=dict)

    def trees(self, batch):
        ends = batch.sentence_word[1:] - 1
        place = np.arange(len(batch.heads)) - np.repeat(batch.sentence_word[:-1], np.diff(batch.sentence_word))
        heads = place if self.right else place + 2
        heads[ends] = heads[ends] if self.right else 0
        return Parsed(heads.astype(np.int32), np.zeros(len(heads), np.int32), (self.label,))

    def continued(self, batches, **how):
        return Branching(self.right, label_of(batches))

    def pack(self):
        return Packed({"kind": self.kind, "right": self.right, "label": self.label, "about": self.about}, {})

    @classmethod
    def unpack(cls, packed, source):
        return cls(packed.header["right"], packed.header["label"], packed.header["about"])


def label_of(batches):
    return Counter(label for batch in batches for label in batch.bare.column("DEPREL")).most_common(1)[0][0]


@dataclass(frozen=True, kw_only=True)
class BranchingOptions(StageOptions):
    """It shares no option with ours."""

    family: ClassVar[str] = "branching"
    title: ClassVar[str] = "branching parser"
    right: bool = yes_no(True, "Whether words hang on the word before them.", yes="right", no="left")

    def begin(self, data):
        return Counting(self, data)


class Counting:
    """A training of one step."""

    unit, planned, keeps_best, unwritable = "step", 1, False, ""
    state = Layout({"label": CELL})

    def __init__(self, options, data):
        self.options, self.data, self.digest = options, data, digest_of(data)

    def step(self, number, progress):
        self.label = label_of(self.data)
        return {}

    def candidates(self):
        return [Branching(self.options.right, self.label)]

    def pack(self):
        return Packed({"label": self.label}, {})

    def restore(self, packed):
        self.label = packed.header["label"]
