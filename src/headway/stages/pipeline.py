"""Stages in a row: what they need and give together, and how a batch goes through them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError, described
from headway.data.batch import Batch
from headway.data.layers import Codes, Layer
from headway.stages.calibration.confidences import Confidences, with_confidences, without_confidences
from headway.stages.constraints import Constraints
from headway.stages.contract import PREDICTED, Confident, KBest, SegmentingStage, Stage
from headway.stages.needed_columns import ABOUT, Records, records_of
from headway.stages.obeying import all_obeyed


def filled(batch: Batch, columns: Iterable[str]) -> frozenset[str]:
    """The columns in which some word of a batch has something."""
    counts, _ = batch.filled()
    places = {name: (batch.format.index(name), batch.format.fallback(name)) for name in columns}
    return frozenset(name for name, several in places.items() if any(at >= 0 and counts[at] for at in several))


class ConstrainedBatches(NamedTuple):
    """Sentences parsed under constraints, in order."""

    batches: list[Batch]
    lifted: int
    """In how many sentences given arcs were lifted."""
    faults: Mapping[int, HeadwayError]
    """Why some sentences were left as they are."""


@dataclass(frozen=True, eq=False)
class Pipeline:
    """Stages, each of which sees what those before it have found; `kept` columns stay as the input has them."""

    stages: tuple[Stage, ...]
    kept: frozenset[str] = frozenset()

    @cached_property
    def segmenter(self) -> SegmentingStage | None:
        """The stage that cuts text, which has no part in annotating sentences."""
        return next((stage for stage in self.stages if isinstance(stage, SegmentingStage)), None)

    @cached_property
    def running(self) -> tuple[Stage, ...]:
        """The stages that annotate sentences: all that give something which is not kept."""
        return tuple(
            stage for stage in self.stages if not isinstance(stage, SegmentingStage) and not stage.gives <= self.kept
        )

    @property
    def last(self) -> Stage:
        """The stage that has the last word about sentences; refused where there is none."""
        if not self.running:
            left = "all that the model finds is kept; keep less"
            kind = self.stages[-1].kind if self.stages else "model"
            raise HeadwayError(
                left if self.kept else f"a {kind} finds nothing in sentences; take a model with a parser"
            )
        return self.running[-1]

    def keeping(self, batch: Batch, columns: Collection[str]) -> Pipeline:
        """The row for an input that begins with this batch: of these columns, those that it has are kept."""
        return replace(self, kept=filled(batch, columns)) if columns else self

    def finding(self, wanted: Mapping[str, Collection[str]] | None) -> Pipeline:
        """The row of the stages that find some of these things, each of which has some columns; None for all."""
        if wanted is None:
            return self
        for name, columns in wanted.items():
            if columns and self.gives.isdisjoint(columns):
                kinds = ", ".join(stage.kind for stage in self.stages)
                raise HeadwayError(f"the model finds no {name}; it has: {kinds}")
        columns = {column for some in wanted.values() for column in some}
        some = (one for one in self.stages if isinstance(one, SegmentingStage) or not one.gives.isdisjoint(columns))
        return replace(self, stages=tuple(some))

    @cached_property
    def needs(self) -> frozenset[str]:
        """The columns that sentences must have: those that some stage looks at and none before it gives."""
        needed: set[str] = set()
        given: set[str] = set()
        for stage in self.running:
            needed |= stage.needs - given
            given |= stage.gives - self.kept
        return frozenset(needed)

    @cached_property
    def gives(self) -> frozenset[str]:
        """The columns that are filled."""
        return frozenset().union(*(stage.gives - self.kept for stage in self.stages))

    @cached_property
    def seen(self) -> Mapping[str, Any]:
        """What the treebank had in the columns that sentences must have."""
        found: dict[str, Any] = {}
        for stage in reversed(self.running):
            columns = stage.about.get(ABOUT, {})
            found |= columns if isinstance(columns, Mapping) else {}
        return {name: facts for name, facts in found.items() if name in self.needs}

    @cached_property
    def records(self) -> Records:
        """The same of each that inputs are checked for."""
        return records_of(self.seen, self.needs)

    def assure_confident(self) -> None:
        """Refuse to say how sure stages are where nobody can know it."""
        able = [stage for stage in self.running if isinstance(stage, Confident)]
        if not able:
            raise HeadwayError(f"a {self.last.kind} cannot say how sure it is; parse without confidence")
        if all(stage.calibrator is None for stage in able):
            raise HeadwayError(
                "the model cannot say how sure it is, since it was not calibrated; give `headway calibrate` the model"
                " and a treebank that it has not learned from, or train it again with --dev"
            )

    def assure_ranking(self) -> None:
        """Refuse to give several trees where only the best is found."""
        if not isinstance(self.last, KBest):
            raise HeadwayError(
                f"a {self.last.kind} finds the best tree only; k-best needs a graph parser (--parser graph)"
            )

    def annotate(self, batch: Batch, *, confidence: bool = False) -> Batch:
        """The batch with what all stages find; with `confidence`, also how sure those are of it that can tell."""
        found: list[Confidences] = []
        batch = self._annotated(batch, self.running, found if confidence else None)
        return with_confidences(without_confidences(batch, self.gives), found)

    def k_best(self, batch: Batch, k: int) -> Batch:
        """As many copies of each sentence as trees were found, at most k, the best first."""
        last = self.last
        assert isinstance(last, KBest)
        return last.k_best(without_confidences(self._annotated(batch, self.running[:-1]), self.gives), k)

    def annotate_constrained(
        self, batch: Batch, wanted: Sequence[Constraints] | None = None, *, skip: bool = False
    ) -> ConstrainedBatches:
        """The batch with what all stages find, where its trees obey constraints; None keeps the heads of its cells.

        With `skip`, sentences that no tree obeys are left as they are.
        """
        annotated = self._annotated(batch, self.running[:-1])
        (heads, labels, names), lifted, faults = all_obeyed(self.last, annotated, wanted, skip=skip)
        found = annotated.with_layer(PREDICTED, heads=heads, columns={"DEPREL": Codes(labels, tuple(names))})
        found = without_confidences(found, self.gives)
        ends = sorted({0, len(batch), *faults, *(index + 1 for index in faults)})
        parts = [(batch if first in faults else found).part(first, last) for first, last in pairwise(ends)]
        return ConstrainedBatches(parts if faults else [found], lifted, faults)

    def _annotated(self, batch: Batch, stages: Iterable[Stage], sure: list[Confidences] | None = None) -> Batch:
        """The batch after some stages; `sure` collects confidences.

        A tagger that keeps one of its columns is not asked: it would speak of tags that are not there.
        """
        for stage in stages:
            if sure is not None and isinstance(stage, Confident) and stage.calibrator and not stage.gives & self.kept:
                annotated, evidence = stage.annotate_with_evidence(batch)
                sure.append(stage.calibrator.confidences(evidence, batch.sentence_word))
            else:
                annotated = stage.annotate(batch)
            batch = self._uncovered(annotated)
        return batch

    def _uncovered(self, batch: Batch) -> Batch:
        """The batch without what the top layer says of columns that are kept."""
        if not batch.layers or not self.kept & set(batch.layers[-1].columns):
            return batch
        top = batch.layers[-1]
        columns = {name: codes for name, codes in top.columns.items() if name not in self.kept}
        return batch.with_layers((*batch.layers[:-1], Layer(top.name, columns, top.heads)))


def assured_stages(stages: object) -> Iterator[Stage]:
    """Stages as they are; anything else is refused."""
    remedy = "headway.train and headway.load make parsers"
    if not isinstance(stages, Iterable):
        raise HeadwayError(f"expected a list of stages, got {described(stages)}; {remedy}")
    for stage in stages:
        if not hasattr(stage, "annotate"):
            raise HeadwayError(f"expected a stage, got {described(stage)}; {remedy}")
        yield stage
