"""The transition parser: a model and what it does to sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from headway.base.errors import HeadwayError, known, shown
from headway.base.registry import method
from headway.base.schema import (
    FLAG,
    TEXT,
    Arrays,
    Each,
    Header,
    Kind,
    Numbers,
    Optional,
    Record,
    Schema,
    Single,
    is_number,
    one_of,
    whole,
)
from headway.data.batch import Batch, Ints
from headway.features.compile import TransitionTemplates, compile_features
from headway.features.encode import Encoded, chosen
from headway.features.language import parse as parse_features
from headway.kernels.transition import parsing
from headway.kernels.transition.evidence import EVIDENCE
from headway.kernels.transition.setup import ParserSetup
from headway.kernels.weights.packed import PackedWeights
from headway.parsers.transition.classes import Classes
from headway.parsers.transition.registry import SYSTEMS, ChosenSystem
from headway.stages import tree_stage, weights
from headway.stages.calibration.confidences import Calibrator
from headway.stages.calibration.evidence import Evidence, Floats
from headway.stages.contract import Packed
from headway.stages.single_labels import settled, words_of
from headway.stages.tree_stage import ConfidentTreeStage, Parsed, StateLayout, fields_of, restored, with_state

BY_ACTION = "labels by action"
"""What the header of a model says of two steps; `true` stood for labels that did not depend on the action."""


PAIR = Single(
    "a pair of two whole numbers",
    lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(type(one) is int for one in value),
)
HEADER: dict[str, Kind] = {
    "system": Record({"name": TEXT, "root": TEXT, "single_root": Optional(FLAG)}),
    **tree_stage.HEADER,
    "transitions": Each(PAIR),
    "two_step": one_of(False, True, BY_ACTION),
    "root_label": whole(0),
}
"""What the header of a transition parser holds."""
SHARE = Single("a number of at least 0", lambda value: is_number(value) and value >= 0)
STATE_LAYOUT = StateLayout(
    {"exploration": SHARE, "smallest": SHARE},
    {
        "keys": Numbers("<u8"),
        "sizes": Numbers("<u2"),
        "classes": Numbers("<u2"),
        "planes": Numbers("<f4", (None, None), finite=True),
    },
)
"""The arrays of `Weights.dump`, and how training explores."""
LATER: dict[str, Kind] = {**tree_stage.LATER, **weights.LATER, "state": STATE_LAYOUT.header}
"""What it may hold, too."""


def _weights(header: Header) -> dict[str, Numbers]:
    """The arrays of weights, and of the state of a training."""
    return {**weights.arrays_in(header), **STATE_LAYOUT.in_file(header)}


@dataclass(frozen=True, eq=False)
class TransitionParser(ConfidentTreeStage):
    """A parser that reads a sentence word by word and decides at each step what to do next."""

    kind: ClassVar[str] = "transition parser"
    schema: ClassVar[Schema] = Schema(HEADER, _weights, later=LATER)
    rates_labels: ClassVar[bool] = True
    """Whether labels have scores."""
    system: ChosenSystem
    templates: TransitionTemplates
    classes: Classes
    root_label: int
    encoding: str | None
    weights: PackedWeights
    about: dict[str, Any] = field(default_factory=dict)
    """Where the model comes from: learner, passes, treebank, scores."""
    calibrator: Calibrator | None = None
    single_labels: tuple[str, ...] = ()
    state: Packed | None = field(default=None, repr=False)
    """What training goes on from, where the model was trained to be updated."""

    def __post_init__(self) -> None:
        """Refuse a model in which a configuration may leave nothing to do, or a word without a label."""
        seen = {action for action, _ in self.classes.transitions}
        if not seen.issuperset(self.system.actions):
            raise HeadwayError(f"the model lacks transitions of {self.system.name}; train the parser again")
        if not 0 <= self.root_label < len(self.classes.labels):
            raise HeadwayError(f"the model has no label {self.root_label} for roots; train the parser again")

    @property
    def needs(self) -> frozenset[str]:
        """The columns that its features look at."""
        return fields_of(self.templates.columns)

    @property
    def single_root(self) -> bool:
        """Whether its trees have one root."""
        return bool(self.system.single_root)

    def with_free_roots(self) -> TransitionParser:
        """The same parser where several words may hang on the root, as in training."""
        return replace(self, system=self.system.free)

    def setup(self, encoded: Encoded, longest: int) -> ParserSetup:
        """What the kernels need to know about words and classes."""
        words = self.templates.kernel, encoded.kernel, self.classes.kernel
        return ParserSetup(self.system.kernel, *words, longest=longest)

    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch. Runs without the interpreter's lock."""
        return self.trees_of_words(self.templates.encode(batch), batch.sentence_word)

    def trees_with_evidence(self, batch: Batch) -> tuple[Parsed, Evidence]:
        """The same, with the margins of the transitions that made each arc."""
        found = np.empty((len(batch.heads), len(EVIDENCE)), np.float32)
        parsed = self.trees_of_words(self.templates.encode(batch), batch.sentence_word, found)
        columns = dict(zip(EVIDENCE, found.T, strict=True))
        rivals = columns.pop("rival").astype(np.int32)
        return parsed, Evidence(columns, {"rival": rivals})

    def trees_of_words(self, encoded: Encoded, offsets: Ints, evidence: Floats | None = None) -> Parsed:
        """The trees of words that have been encoded, those of sentence s from offsets[s] to offsets[s + 1]."""
        heads, labels = np.empty(int(offsets[-1]), np.int32), np.empty(int(offsets[-1]), np.int32)
        ready = self.setup(encoded, int(np.diff(offsets).max(initial=1)))
        self._find(ready, offsets, heads, labels, evidence)
        raw = Parsed(heads, labels, self.classes.names)
        found = settled(
            restored(raw, offsets, self.encoding),
            raw,
            offsets,
            self.single_labels,
            lambda sentences: self._label_scores(encoded, offsets, sentences),
        )
        if evidence is not None:
            evidence[found.words, EVIDENCE.index("label")] = found.margins
        return found.parsed

    def _label_scores(self, encoded: Encoded, offsets: Ints, sentences: Ints) -> Floats:
        """The scores of all labels for each word of some sentences, as they were when it got its head."""
        words, some = words_of(offsets, sentences)
        heads, labels = np.empty((2, len(words)), np.int32)
        scores = np.full((len(words), len(self.classes.labels)), -np.inf, np.float32)
        ready = self.setup(chosen(encoded, words), int(np.diff(some).max(initial=1)))
        parsing.parse(ready, self.weights, some, self.root_label, heads, labels, None, scores)
        return scores

    def _find(
        self, ready: ParserSetup, offsets: Ints, heads: Ints, labels: Ints, evidence: Floats | None = None
    ) -> None:
        """Write heads and labels as the kernels find them, and how sure they were of each where `evidence` is given."""
        parsing.parse(ready, self.weights, offsets, self.root_label, heads, labels, evidence)

    explain = method("headway.parsers.transition.explaining:explain")
    wrong_decisions = method("headway.parsers.transition.explaining:wrong_decisions")
    training_sentences_with = method("headway.parsers.transition.explaining:training_sentences_with")
    scores = method("headway.parsers.transition.scoring:scores")
    constrained = method("headway.parsers.transition.constraining:constrained")
    updated = method("headway.parsers.transition.updating:updated")
    continued = method("headway.parsers.transition.updating:continued")

    @staticmethod
    def weights_from(header: Header, arrays: Arrays, classes: int) -> PackedWeights:
        """The weights in a model file."""
        return weights.weights_in(header, arrays, classes)

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> TransitionParser:
        """The parser that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        name, two_step = header["system"].get("name"), header["two_step"]
        if name not in SYSTEMS:
            raise HeadwayError(
                f"{source}: the model parses with the transition system {shown(str(name))}, which is not here; install"
                f" the distribution that brings it ({known(SYSTEMS)})"
            )
        if two_step not in (False, BY_ACTION):
            raise HeadwayError(
                f"{source}: the model chooses labels alike for arcs to the left and to the right, as headway no longer"
                " does; train the parser again"
            )
        classes = Classes(tuple(header["labels"]), tuple(map(tuple, header["transitions"])), bool(two_step))
        return cls(
            system=ChosenSystem(**header["system"]),
            templates=compile_features(parse_features("\n".join(header["features"]), source)),
            classes=classes,
            root_label=header["root_label"],
            weights=cls.weights_from(header, arrays, len(classes)),
            **cls.unpacked(header),
            state=STATE_LAYOUT.unpack(header, arrays),
        )

    def pack(self) -> Packed:
        """The parser as a file holds it."""
        header = self.packed_header(
            self.templates.features,
            self.classes.labels,
            system=asdict(self.system),
            transitions=self.classes.transitions,
            two_step=self.classes.two_step and BY_ACTION,
            root_label=self.root_label,
        )
        return with_state(self.packed_weights(header), self.state)

    def packed_weights(self, header: dict[str, Any]) -> Packed:
        """The weights as a file holds them, with a header."""
        return Packed({**header, "weights": weights.PACKED}, weights.packed_arrays(self.weights))
