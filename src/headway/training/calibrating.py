"""Learning what a stage's evidence is worth: on a treebank that it has not seen, or part by part on its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from headway.batch import Batch
from headway.calibration.calibrator import Calibrator, Right
from headway.calibration.evidence import Evidence, joined
from headway.data import fold, rebatched, sentences_of
from headway.errors import HeadwayError
from headway.evaluation.attachment import right_words, same_cells
from headway.options import StageOptions
from headway.stage import Confident, Stage
from headway.training.loop import TrainingLoop

DEV, CROSS_VALIDATION, NONE = "dev", "cross-validation", "none"
WAYS = (DEV, CROSS_VALIDATION, NONE)


class Judged(NamedTuple):
    """The evidence of a batch, which words were right, and the number of words of each sentence."""

    evidence: Evidence
    right: Right
    lengths: Sequence[int]


def calibrated(stage: Stage, batches: Iterable[Batch], source: str = DEV) -> Stage:
    """The stage with a calibrator learned from batches that it had not learned from; what was read is right."""
    if not isinstance(stage, Confident):
        raise HeadwayError(f"a {stage.kind} cannot say how sure it is, so there is nothing to calibrate")
    return stage.with_calibrator(_fitted(_judged(stage, batches), source))


def cross_calibrated(stage: Stage, options: StageOptions, data: Sequence[Batch], folds: int) -> Stage:
    """The stage with a calibrator learned from each part of its treebank, parsed by what learned from the others."""
    assert isinstance(stage, Confident)
    sentences = sentences_of(data)
    found: list[Judged] = []
    for number in range(folds):
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        attempt = TrainingLoop(options, others).run()
        assert isinstance(attempt, Confident)
        found += _judged(attempt, held_out)
    return stage.with_calibrator(_fitted(found, CROSS_VALIDATION))


def _judged(stage: Confident, batches: Iterable[Batch]) -> Iterator[Judged]:
    for batch in batches:
        if len(batch) and (len(batch.heads) or "HEAD" not in stage.gives):
            found, evidence = stage.annotate_surely(batch)
            yield Judged(evidence, right_in(batch.bare, found), np.diff(batch.sentence_word).tolist())


def _fitted(judged: Iterable[Judged], source: str) -> Calibrator:
    parts = list(judged)
    if not parts:
        raise HeadwayError("there is no sentence to calibrate confidences on; give a treebank with trees")
    offsets = np.cumsum([0, *(length for part in parts for length in part.lengths)], dtype=np.int32)
    right = {name: np.concatenate([part.right[name] for part in parts]) for name in parts[0].right}
    return Calibrator.fitted(joined(part.evidence for part in parts), right, offsets, source=source)


def right_in(gold: Batch, found: Batch) -> Right:
    """Which words are right: their heads, and heads with labels; without trees, UPOS, and all that a layer says."""
    top = found.layers[-1]
    if top.heads is not None:
        return dict(zip(("arc", "label"), right_words(gold, found), strict=True))
    columns = {name: same_cells(gold.column(name), found.column(name)) for name in top.columns}
    right = {"upos": columns["UPOS"]} if "UPOS" in columns else {}
    return right if columns.keys() == {"UPOS"} else {**right, "tags": np.logical_and.reduce(list(columns.values()))}
