"""Learning what a stage's evidence is worth: on a treebank that it has not seen, part by part on its own, or both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from headway.base.errors import HeadwayError, described
from headway.base.folds import stretches
from headway.base.stage_options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import Source, assure_folds, assure_trees, batches_of, flat, rebatched, sentences_of
from headway.evaluation.definitions import ALL
from headway.evaluation.metrics.attachment import right_words, same_cells
from headway.stages.calibration.confidences import Calibrator, Right
from headway.stages.calibration.evidence import Evidence, joined
from headway.stages.contract import Confident, SegmentingStage, Stage
from headway.stages.parsing.parser import Parser
from headway.training.familiar import warn_of_learned
from headway.training.jackknife import with_passes
from headway.training.loop import TrainingLoop

DEV, CROSS_VALIDATION, NONE = "dev", "cross-validation", "none"


class Judged(NamedTuple):
    """The evidence of a batch, which words were right, and the number of words of each sentence."""

    evidence: Evidence
    right: Right
    lengths: Sequence[int]


def calibrate(parser: Parser, source: Source) -> Parser:
    """The parser with calibrators of its stages, learned from a treebank that the parser has not learned from."""
    if not isinstance(parser, Parser):
        raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
    batches = flat(batches_of(source))
    if "HEAD" in parser.stages[-1].gives:
        assure_trees(batches, "the treebank")
    if not any(isinstance(stage, Confident) for stage in parser.stages):
        raise HeadwayError(f"a {parser.stages[-1].kind} cannot say how sure it is, so there is nothing to calibrate")
    warn_of_learned(
        parser.stages, batches, "where it makes fewer mistakes than elsewhere: its confidences will be too high"
    )
    stages: list[Stage] = []
    for number, stage in enumerate(parser.stages):
        given = frozenset().union(*(other.gives for other in parser.stages[number + 1 :]))
        # What a later stage says again nobody hears of this one.
        if isinstance(stage, Confident) and not stage.gives <= given:
            stage = calibrated(stage, batches, "a treebank of its own")
        stages.append(stage)
        batches = batches if isinstance(stage, SegmentingStage) else [stage.annotate(batch) for batch in batches]
    return Parser(stages)


def calibrated(stage: Stage, batches: Iterable[Batch], source: str = DEV) -> Stage:
    """The stage with a calibrator learned from batches that it had not learned from; what was read is right."""
    if not isinstance(stage, Confident):
        raise HeadwayError(f"a {stage.kind} cannot say how sure it is, so there is nothing to calibrate")
    return stage.with_calibrator(_fitted(_judged(stage, batches), source))


def cross_calibrated(
    stage: Stage, options: StageOptions, data: Sequence[Batch], folds: int, dev: Sequence[Batch] | None = None
) -> Stage:
    """The stage with a calibrator learned from each stretch of its treebank, parsed by what learned from the others.

    Stretches, since neighbours are of one document, and new text seldom is. Where there is a `dev`, how often words are
    right all in all is learned from it alone: a treebank may be more alike in itself than to other text.
    """
    assert isinstance(stage, Confident)
    sentences = sentences_of(data)
    assure_folds(sentences, folds)
    options = with_passes(options, stage.about.get("passes"), most=math.inf)
    found: list[Judged] = []
    for stretch in stretches(len(sentences), folds):
        held_out = sentences[stretch.start : stretch.stop]
        others = [*sentences[: stretch.start], *sentences[stretch.stop :]]
        attempt = TrainingLoop(options, list(rebatched(others))).run()
        assert isinstance(attempt, Confident)
        found += _judged(attempt, rebatched(held_out))
    if dev is None:
        return stage.with_calibrator(_fitted(found, CROSS_VALIDATION))
    return stage.with_calibrator(_fitted(_judged(stage, dev), f"{CROSS_VALIDATION} and {DEV}", elsewhere=found))


def _judged(stage: Confident, batches: Iterable[Batch]) -> Iterator[Judged]:
    for batch in batches:
        if len(batch) and (len(batch.heads) or "HEAD" not in stage.gives):
            found, evidence = stage.annotate_with_evidence(batch)
            yield Judged(evidence, right_in(batch.bare, found), np.diff(batch.sentence_word).tolist())


def _fitted(judged: Iterable[Judged], source: str, elsewhere: Sequence[Judged] = ()) -> Calibrator:
    own = list(judged)
    parts = [*own, *elsewhere]
    if not parts:
        raise HeadwayError("there is no sentence to calibrate confidences on; give a treebank with trees")
    offsets = np.cumsum([0, *(length for part in parts for length in part.lengths)], dtype=np.int32)
    right = {name: np.concatenate([part.right[name] for part in parts]) for name in parts[0].right}
    others = np.arange(len(offsets) - 1) >= sum(len(part.lengths) for part in own) if elsewhere else None
    return Calibrator.fitted(joined(part.evidence for part in parts), right, offsets, others, source=source)


def right_in(gold: Batch, found: Batch) -> Right:
    """Which words are right: their heads, and heads with labels; without trees, UPOS, and all that a layer says."""
    top = found.layers[-1]
    if top.heads is not None:
        return dict(zip(("arc", "label"), right_words(gold, found, ALL), strict=True))
    columns = {name: same_cells(gold.column(name), found.column(name)) for name in top.columns}
    right = {"upos": columns["UPOS"]} if "UPOS" in columns else {}
    return right if columns.keys() == {"UPOS"} else {**right, "tags": np.logical_and.reduce(list(columns.values()))}
