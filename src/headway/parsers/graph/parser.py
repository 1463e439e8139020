"""The graph parser: a model and what it does to sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.base.schema import (
    CELL,
    FLAG,
    POSITIVE,
    TEXT,
    Each,
    Header,
    Kind,
    Numbers,
    Optional,
    Record,
    Schema,
    one_of,
    whole,
)
from headway.data.batch import Batch, Ints
from headway.data.encodings import ENCODINGS
from headway.features.arcs import ArcTemplates, compile_arcs
from headway.features.compile import Encoded, chosen
from headway.features.language import parse as parse_features
from headway.kernels.graph import parsing as kernel
from headway.kernels.graph.decoding import TreeDecoder
from headway.kernels.graph.evidence import EVIDENCE
from headway.kernels.text import encode as encoding_kernel
from headway.parsers.graph import constraining, learning_state, ranking
from headway.parsers.graph import updating as adapting
from headway.parsers.graph.decoders import checked
from headway.parsers.graph.explaining import GraphExplainer, training_sentences_with
from headway.parsers.graph.options import LABELS
from headway.parsers.graph.registry import DECODERS, LONGEST
from headway.stages.calibration.calibrator import CALIBRATOR, Calibrator
from headway.stages.constraints import Constraints
from headway.stages.contract import Packed
from headway.stages.explanation.contract import Decision, Explanation
from headway.stages.gold import encode_all, trees_of
from headway.stages.tree_stage import Parsed, fields_of
from headway.stages.updating import ContinueOptions, Learned
from headway.stages.windows import Find, Found, WindowedStage
from headway.training.learning_state import LearningState, unpacked

if TYPE_CHECKING:
    from typing_extensions import Unpack

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
        """Refuse what has no meaning."""
        if self.decoder not in DECODERS:
            raise HeadwayError(f"unknown decoder {self.decoder!r}; {known(DECODERS)}")
        if self.order not in (1, 2):
            raise HeadwayError(f"order {self.order!r} is not possible; take 1 for arcs or 2 for arcs and siblings")
        if self.order == 2 and self.decoder not in DECODERS.own:
            raise HeadwayError(
                f"decoder {self.decoder} looks at arcs alone; take order 1, or {' or '.join(DECODERS.own)}"
            )
        if self.labels not in LABELS:
            raise HeadwayError(f"labels cannot be chosen {self.labels!r}; {known(LABELS)}")
        for name in ("bits", "label_bits"):
            if not BITS[0] <= getattr(self, name) <= BITS[1]:
                raise HeadwayError(
                    f"{name} = {getattr(self, name)!r} is not between {BITS[0]} and {BITS[1]}; 22 is a good number"
                )

    @property
    def size(self) -> int:
        """Number of weights."""
        return (1 << self.bits) + (1 << self.label_bits)


HEADER: dict[str, Kind] = {
    "shape": Record(
        {
            "decoder": TEXT,
            "order": whole(1, 2),
            "single_root": FLAG,
            "labels": TEXT,
            "bits": whole(*BITS),
            "label_bits": whole(*BITS),
        }
    ),
    "features": Each(TEXT, fewest=1),
    "labels": Each(CELL, fewest=1),
    "encoding": Optional(one_of(*ENCODINGS)),
    "scale": POSITIVE,
}
"""What the header of a graph parser holds."""
LATER: dict[str, Kind] = {"calibrator": CALIBRATOR, "state": learning_state.HEADER}
"""What it may hold, too."""


def _weights(header: Header) -> dict[str, Numbers]:
    """The weights of arcs and labels, as many as the shape asks for; any numbers will do."""
    return {"weights": Numbers("<i2", (GraphShape(**header["shape"]).size,)), **learning_state.numbers(header)}


def width_of(shape: GraphShape, labels: tuple[str, ...]) -> int:
    """A row of labels' weights has 2 to this power places."""
    width = max(NARROWEST, math.ceil(math.log2(max(1, len(labels)))))
    if width + 2 > shape.label_bits:
        raise HeadwayError(f"{len(labels)} labels need more than 2^{shape.label_bits} weights; give more label_bits")
    return width


def decoder_of(name: str) -> TreeDecoder:
    """A decoder as the kernels know it: by its name, or as a function where it is not ours."""
    return TreeDecoder(name) if name in DECODERS.own else TreeDecoder.of(checked(name, DECODERS[name].decode))


def graph_of(
    shape: GraphShape, templates: ArcTemplates, labels: tuple[str, ...], encoded: Encoded, longest: int
) -> kernel.Graph:
    """What the kernels need to know about features, labels and words."""
    names = np.array([encoding_kernel.key_of(label.encode()) for label in labels], np.uint64)
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
        width_bits=width_of(shape, labels),
        label_names=names,
        words=encoded.kernel,
        decoder=decoder_of(shape.decoder),
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
    state: LearningState | None = field(default=None, repr=False)
    """What training goes on from, where the model was trained to be updated."""

    def __post_init__(self) -> None:
        """Refuse more labels than there is room for."""
        width_of(self.shape, self.labels)

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

    @property
    def evidence(self) -> tuple[str, ...]:
        """The columns of evidence by name."""
        return EVIDENCE

    def finder(self, batch: Batch, surely: bool = False) -> Find:
        """Heads and labels of sentences made of words of this batch. Runs without the interpreter's lock."""
        encoded = self.templates.encode(batch)

        def find(words: Ints | None, offsets: Ints) -> Found:
            heads, labels = np.empty(int(offsets[-1]), np.int32), np.empty(int(offsets[-1]), np.int32)
            rows = np.empty((len(heads), len(EVIDENCE) if surely else 0), np.float32)
            if len(heads):
                some = encoded if words is None else chosen(encoded, words)
                longest = int(np.diff(offsets).max(initial=1))
                graph = graph_of(self.shape, self.templates, self.labels, some, longest)
                kernel.parse(graph, self.weights, offsets, heads, labels, rows if surely else None, SHARP * self.scale)
            return Found(heads, labels, rows)

        return find

    def explain(self, batch: Batch) -> Explanation:
        """The arcs and labels of the one sentence of a batch, with the features that decided."""
        return self._explainer(batch).explanation()

    def graph(self, encoded: Encoded, longest: int) -> kernel.Graph:
        """What the kernels need to know about words."""
        return graph_of(self.shape, self.templates, self.labels, encoded, longest)

    @property
    def decoder(self) -> TreeDecoder:
        """The decoder as the kernels know it."""
        return decoder_of(self.shape.decoder)

    def _explainer(self, batch: Batch) -> GraphExplainer:
        self.assure_whole(batch)
        return GraphExplainer(self, self.graph(self.templates.encode(batch), len(batch.word_line)), batch)

    def k_best(self, batch: Batch, k: int) -> Batch:
        """As many copies of each sentence as trees were found, at most k, the best first."""
        return ranking.ranked(self, batch, k)

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
        """The best tree of one sentence that obeys; at order 2 a good one where trees need not be projective."""
        return constraining.constrained(self, batch, index, constraints)

    @property
    def width(self) -> int:
        """A row of labels' weights has 2 to this power places."""
        return width_of(self.shape, self.labels)

    def updated(self, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
        """The parser after steps towards a tree that has what is wanted."""
        return adapting.updated(self, batch, wanted, in_place=in_place)

    def continued(self, batches: Sequence[Batch], **how: Unpack[ContinueOptions]) -> GraphParser:
        """The parser after passes over more trees."""
        from headway.parsers.graph.continuing import continued

        return continued(self, batches, **how)

    def wrong_decisions(self, batch: Batch) -> list[Decision]:
        """The wrong arcs of the one sentence of a batch, and wrong labels of right ones, beside the right ones."""
        trees = trees_of([batch], self.encoding)
        number = {name: at for at, name in enumerate(self.labels)}
        labels = [number.get(trees.names[at], -1) for at in trees.labels]
        return list(self._explainer(batch).wrong(trees.heads.tolist(), labels))

    def training_sentences_with(self, batches: Sequence[Batch], ids: NDArray[np.uint64]) -> dict[int, dict[int, int]]:
        """How often features, by the places of their weights, stand at the arcs of which training sentences."""
        trees = trees_of(batches, self.encoding)
        encoded = encode_all(self.templates, batches)  # type: ignore[arg-type]
        return training_sentences_with(
            graph_of(self.shape, self.templates, self.labels, encoded, trees.longest), trees, ids.astype(np.int64)
        )

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> GraphParser:
        """The parser that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        return cls(
            shape=GraphShape(**header["shape"]),
            templates=compile_arcs(parse_features("\n".join(header["features"]), source)),
            labels=tuple(header["labels"]),
            encoding=header["encoding"],
            weights=arrays["weights"],
            scale=header["scale"],
            about=header["about"],
            calibrator=Calibrator.unpack(header.get("calibrator")),
            state=unpacked(header, arrays, learning_state.NAMES),
        )

    def pack(self) -> Packed:
        """The parser as a file holds it."""
        header = {
            "kind": self.kind,
            "shape": asdict(self.shape),
            "features": [str(feature) for feature in self.templates.features],
            "labels": self.labels,
            "encoding": self.encoding,
            "scale": self.scale,
            "about": self.about,
            **({} if self.calibrator is None else {"calibrator": self.calibrator.pack()}),
            **({} if self.state is None else {"state": self.state.header}),
        }
        return Packed(header, {"weights": self.weights} | ({} if self.state is None else self.state.packed))
