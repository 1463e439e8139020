"""The one contract of all stages: a batch in, the same batch with another layer out.

A stage is what was learned and nothing of how: it never changes. What only some stages can do (say how sure they are,
give several results, explain one) are contracts of their own beside this one, which a stage has or has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from headway.base.registry import Registry
from headway.base.schema import Array, Schema
from headway.data.batch import Batch
from headway.stages.calibration.confidences import Calibrator
from headway.stages.calibration.evidence import Evidence

Column = str
"""A field of a sentence: FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL."""
PREDICTED = "predicted"
"""The layer in which stages put what they find."""
Self = TypeVar("Self", bound="Stage")


class Packed(NamedTuple):
    """A stage or the state of a training as a file holds it: what JSON can say, and arrays."""

    header: dict[str, Any]
    arrays: dict[str, Array]


class Stage(Protocol):
    """Something that annotates batches: a tagger, a parser."""

    @property
    def kind(self) -> str:
        """What it is called in a model file."""

    @property
    def needs(self) -> frozenset[Column]:
        """The columns that it looks at."""

    @property
    def gives(self) -> frozenset[Column]:
        """The columns that it fills."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Where it comes from: options, treebank, scores."""

    def with_about(self: Self, **facts: Any) -> Self:
        """The same stage with more said about it."""

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of what this stage gives. May run in several threads at once."""

    def pack(self) -> Packed:
        """The stage as a file holds it; `unpack` of its class makes it a stage again."""


@runtime_checkable
class SegmentingStage(Stage, Protocol):
    """The one stage without a batch to take: it makes batches of text.

    One that has a method `split(batch, *, exceptions=None)` is also asked for the words of given tokens.
    """

    def segment(
        self,
        text: Any,
        *,
        ranges: bool = False,
        lines: bool = False,
        exceptions: Any = None,
        report: Any = None,
    ) -> Iterator[Batch]:
        """The sentences of a text, a string or chunks of bytes, some hundred at a time.

        With `lines`, every line is one sentence; with `ranges`, tokens say where they stand in the text.
        """


class TextsInBatch(NamedTuple):
    """The sentences of several texts, one text after the other."""

    batch: Batch
    counts: list[int]
    """How many sentences each text has."""
    bases: list[int]
    """Where each text begins, as the batch's spans count."""


@runtime_checkable
class SegmentsTexts(Protocol):
    """A segmenter that cuts many short texts together, which takes less time than one by one."""

    def segment_texts(self, texts: Sequence[str], *, source: str = "<text>", lines: bool = False) -> TextsInBatch:
        """The sentences of some texts, each cut and written as `segment` does; strings of whole characters."""


@runtime_checkable
class HasPatterns(Protocol):
    """A segmenter with patterns of strings that are one token, such as addresses."""

    def without_patterns(self) -> SegmentingStage:
        """The same segmenter without them."""


@runtime_checkable
class Confident(Stage, Protocol):
    """A stage that can say how sure it is of each word, once it is calibrated."""

    @property
    def calibrator(self) -> Calibrator | None:
        """What its evidence is worth; None where nobody has learned that."""

    def annotate_with_evidence(self, batch: Batch) -> tuple[Batch, Evidence]:
        """What `annotate` gives, and what speaks for each word being right."""

    def with_calibrator(self, calibrator: Calibrator | None) -> Stage:
        """The same stage with another calibrator."""


@runtime_checkable
class KBest(Protocol):
    """A stage that can give several results for a sentence."""

    def k_best(self, batch: Batch, k: int) -> Batch:
        """A batch with as many copies of each sentence as results were found, at most k, the best first.

        Comments give each its rank and its score.
        """


class StageKind(Protocol):
    """A class of stages, as model files name them."""

    @property
    def schema(self) -> Schema:
        """What the header and the arrays of such a stage look like."""

    def unpack(self, packed: Packed, source: str) -> Stage:
        """The stage that `pack` packed, checked by the schema; `source` is what errors call the file."""


STAGES: Registry[StageKind] = Registry(
    "kind of stage",
    "headway.stages",
    {
        "segmenter": "headway.text.segmenter.segmenter:Segmenter",
        "tagger": "headway.text.tagger.tagger:Tagger",
        "transition parser": "headway.parsers.transition.parser:TransitionParser",
        "kernel transition parser": "headway.parsers.transition.lockstep:KernelParser",
        "graph parser": "headway.parsers.graph.parser:GraphParser",
        "boosted parser": "headway.parsers.boosted.parser:BoostedParser",
        "lemmatizer": "headway.text.lemmatizer.lemmatizer:Lemmatizer",
    },
    needs=("schema", "unpack"),
)
"""The kinds of stages that a model file may hold; others are found by entry points."""
