"""The graph parser: a model and what it does to sentences."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.base.registry import method
from headway.base.schema import (
    FLAG,
    POSITIVE,
    TEXT,
    Header,
    Kind,
    Numbers,
    Record,
    Schema,
    one_of,
    whole,
)
from headway.data.batch import Batch, Ints
from headway.features.arcs import ArcTemplates, compile_arcs
from headway.features.encode import Encoded
from headway.features.language import parse as parse_features
from headway.kernels.graph import parsing as kernel
from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.graph.decoders import checked
from headway.parsers.graph.registry import DECODERS, LABELS, LONGEST, LOSSES, RIVALS
from headway.stages import tree_stage
from headway.stages.calibration.confidences import Calibrator
from headway.stages.calibration.evidence import Floats
from headway.stages.contract import Packed
from headway.stages.tree_stage import StateLayout, fields_of, label_keys, with_state
from headway.stages.windows import WindowedStage

BITS = 8, 29
"""The fewest and the most that count weights."""
SHARP = 6.0
"""Scores are multiplied by this before they become probabilities of trees; chosen on development parts."""
NARROWEST = 4
"""A row of labels' weights has at least 2 to this power places."""


@dataclass(frozen=True, kw_only=True)
class GraphShape:
    """How trees are found: by which decoder, from which parts, with how many weights."""

    decoder: str = "eisner"
    order: int = 1
    """1: arcs; 2: arcs and adjacent siblings."""
    single_root: bool = True
    labels: str = "after"
    """Labels are chosen `after` the arcs, or for each arc before they are: `joint`."""
    bits: int = 24
    """The arcs have 2 to this power weights."""
    label_bits: int = 23

    def __post_init__(self) -> None:
        """Refuse decoders that are not here; options and model files check the rest."""
        if self.decoder not in DECODERS:
            raise HeadwayError(f"unknown decoder {self.decoder!r}; {known(DECODERS)}")
        if self.order == 2 and self.decoder not in DECODERS.own:
            raise HeadwayError(
                f"decoder {self.decoder} looks at arcs alone; take order 1, or {' or '.join(DECODERS.own)}"
            )

    @property
    def size(self) -> int:
        """Number of weights."""
        return (1 << self.bits) + (1 << self.label_bits)

    @property
    def kernel(self) -> TreeDecoder:
        """The decoder as the kernels know it: by its name, or as a function where it is not ours."""
        name = self.decoder
        return TreeDecoder(name) if name in DECODERS.own else TreeDecoder.of(checked(name, DECODERS[name].decode))

    def width(self, labels: tuple[str, ...]) -> int:
        """A row of labels' weights has 2 to this power places."""
        width = max(NARROWEST, math.ceil(math.log2(max(1, len(labels)))))
        if width + 2 > self.label_bits:
            raise HeadwayError(f"{len(labels)} labels need more than 2^{self.label_bits} weights; give more label_bits")
        return width


HEADER: dict[str, Kind] = {
    "shape": Record(
        {
            "decoder": TEXT,
            "order": whole(1, 2),
            "single_root": FLAG,
            "labels": one_of(*LABELS),
            "bits": whole(*BITS),
            "label_bits": whole(*BITS),
        }
    ),
    **tree_stage.HEADER,
    "scale": POSITIVE,
}
"""What the header of a graph parser holds."""
STATE_LAYOUT = StateLayout(
    {
        "loss": one_of(*LOSSES),
        "counts_labels": FLAG,
        "cost_augmented": FLAG,
        "k": whole(1),
        "rivals": one_of(*RIVALS),
    },
    {"places": Numbers("<u4"), **dict.fromkeys(("learned", "sums", "variances"), Numbers("<f4", finite=True))},
)
"""Where weights stand that were ever moved, and their numbers; sums and variances are empty without such a learner."""
LATER: dict[str, Kind] = {**tree_stage.LATER, "state": STATE_LAYOUT.header}
"""What it may hold, too."""


def _weights(header: Header) -> dict[str, Numbers]:
    """The weights of arcs and labels, as many as the shape asks for; any numbers will do."""
    return {"weights": Numbers("<i2", (GraphShape(**header["shape"]).size,)), **STATE_LAYOUT.in_file(header)}


def graph_of(
    shape: GraphShape, templates: ArcTemplates, labels: tuple[str, ...], encoded: Encoded, longest: int
) -> kernel.Graph:
    """What the kernels need to know about features, labels and words."""
    return kernel.Graph(
        group=templates.group,
        kind=templates.kind,
        start=templates.start,
        slot=templates.slot,
        each=templates.each,
        seed=templates.seed,
        bits=shape.bits,
        label_templates=templates.labels.kernel,
        label_bits=shape.label_bits,
        width_bits=shape.width(labels),
        label_names=label_keys(labels),
        words=encoded.kernel,
        decoder=shape.kernel,
        second_order=shape.order == 2,
        single=shape.single_root,
        joint=shape.labels == "joint",
        longest=max(1, longest),
    )


@dataclass(frozen=True, eq=False)
class GraphParser(WindowedStage):
    """A parser that scores every possible arc of a sentence and takes the tree with the best sum."""

    kind: ClassVar[str] = "graph parser"
    schema: ClassVar[Schema] = Schema(HEADER, _weights, later=LATER)
    shape: GraphShape
    templates: ArcTemplates
    labels: tuple[str, ...]
    encoding: str | None
    weights: NDArray[np.int16]
    scale: float
    """What one unit of the weights is worth."""
    about: dict[str, Any] = field(default_factory=dict)
    """Where the model comes from: learner, passes, treebank, scores."""
    limit: int | None = None
    calibrator: Calibrator | None = None
    single_labels: tuple[str, ...] = ()
    state: Packed | None = field(default=None, repr=False)
    """What training goes on from, where the model was trained to be updated."""

    def __post_init__(self) -> None:
        """Refuse more labels than there is room for."""
        self.shape.width(self.labels)

    @property
    def needs(self) -> frozenset[str]:
        """The columns that its features look at."""
        return fields_of(self.templates.columns)

    @property
    def single_root(self) -> bool:
        """Whether its trees have one root."""
        return self.shape.single_root

    @property
    def names(self) -> tuple[str, ...]:
        """The labels."""
        return self.labels

    @property
    def longest(self) -> int:
        """Words of the longest sentence that is parsed as a whole."""
        return self.limit or int(getattr(DECODERS[self.shape.decoder], "longest", LONGEST))

    def encoded(self, batch: Batch) -> tuple[Encoded, ...]:
        """The words of a batch; the features of arcs and labels look at the same columns."""
        return (self.templates.encode(batch),)

    def find(self, words: tuple[Encoded, ...], offsets: Ints, evidence: Floats | None) -> tuple[Ints, Ints]:
        """Heads and labels of sentences of these words. Runs without the interpreter's lock."""
        heads, labels = np.empty((2, int(offsets[-1])), np.int32)
        graph = self.graph(words[0], int(np.diff(offsets).max(initial=1)))
        kernel.parse(graph, self.weights, offsets, heads, labels, evidence, SHARP * self.scale)
        return heads, labels

    def rate_labels(self, words: Encoded, offsets: Ints, heads: Ints, labels: Ints, scores: Floats) -> None:
        """Write the scores of all labels; those before each are known."""
        graph = self.graph(words, int(np.diff(offsets).max(initial=1)))
        kernel.label(graph, self.weights, offsets, heads, np.array(labels, np.int32), scores)

    explain = method("headway.parsers.graph.explaining:explain")
    wrong_decisions = method("headway.parsers.graph.explaining:wrong_decisions")
    training_sentences_with = method("headway.parsers.graph.explaining:training_sentences_with")
    scores = method("headway.parsers.graph.scoring:scores")
    marginals = method("headway.parsers.graph.scoring:marginals")
    constrained = method("headway.parsers.graph.constraining:constrained")
    updated = method("headway.parsers.graph.updating:updated")
    continued = method("headway.parsers.graph.updating:continued")
    k_best = method("headway.parsers.graph.ranking:k_best")

    def graph(self, encoded: Encoded, longest: int) -> kernel.Graph:
        """What the kernels need to know about words."""
        return graph_of(self.shape, self.templates, self.labels, encoded, longest)

    @property
    def width(self) -> int:
        """A row of labels' weights has 2 to this power places."""
        return self.shape.width(self.labels)

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> GraphParser:
        """The parser that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        return cls(
            shape=GraphShape(**header["shape"]),
            templates=compile_arcs(parse_features("\n".join(header["features"]), source)),
            labels=tuple(header["labels"]),
            weights=arrays["weights"],
            scale=header["scale"],
            **cls.unpacked(header),
            state=STATE_LAYOUT.unpack(header, arrays),
        )

    def pack(self) -> Packed:
        """The parser as a file holds it."""
        header = self.packed_header(self.templates.features, self.labels, shape=asdict(self.shape), scale=self.scale)
        return with_state(Packed(header, {"weights": self.weights}), self.state)
