"""Learning stages one after the other: which of them a treebank allows, and what each learns from those before it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError
from headway.base.options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import Source, assure_folds, assure_trees, batches_of, flat, sentences_of
from headway.stages import model_file as model
from headway.stages.contract import Confident, SegmentingStage, Stage
from headway.training import checkpoint as checkpoints
from headway.training import choices, jackknife
from headway.training.best_passes import best_passes
from headway.training.calibrating import CROSS_VALIDATION, DEV, NONE, calibrated, cross_calibrated
from headway.training.familiar import has_learned_from, warn_of_shared, warn_of_unknown
from headway.training.families import EARLIER
from headway.training.learned_options import AUTO
from headway.training.loop import TrainingLoop
from headway.training.run_options import PRETAGGER, SEGMENTER, TAGGER, RunOptions
from headway.training.tuning import tuned

logger = logging.getLogger("headway")
Told = Callable[[str, float], None]
"""Hears what is being done, and what share of all stages is done."""


class Taken(NamedTuple):
    """A stage of another model, in the place of one that would be learned."""

    name: str
    stage: Stage


Row = Sequence[StageOptions | Taken]


@dataclass
class WorkPlan:
    """How much there is to do: for each stage its training, and then the parts that the next one learns from."""

    weights: list[float]
    told: Told = lambda what, share: None

    @classmethod
    def of(cls, row: Row, how: RunOptions, told: Told) -> WorkPlan:
        """Two numbers for each stage: training, and jackknifing; what is taken costs nothing."""
        weights: list[float] = []
        for number, one in enumerate(row):
            cost = 0.0 if isinstance(one, Taken) else one.cost
            last = number == len(row) - 1 or isinstance(one, Taken) or one.family == SEGMENTER
            weights += [cost, 0.0 if last else 0.8 * cost * how.folds / min(how.folds, how.at_once)]
        return cls(weights, told)

    def heard(self, place: int, what: str) -> Callable[[float], None]:
        """Who hears how much of one of these is done."""
        before, total = sum(self.weights[:place]), sum(self.weights) or 1.0
        return lambda share: self.told(what, (before + share * self.weights[place]) / total)


def allowed(row: Row, data: Sequence[Batch]) -> list[StageOptions | Taken]:
    """The stages for which the treebank has something to learn from; a note says which are left out, and why."""
    kept = []
    for one in row:
        lack = None if isinstance(one, Taken) else one.lack(data)
        if lack is None:
            kept.append(one)
        else:
            assert isinstance(one, StageOptions)
            logger.warning("the treebank has no %s, so that the pipeline has no %s", lack, one.title)
    if not kept or isinstance(kept[-1], Taken):
        raise HeadwayError("there is nothing to learn here; give a treebank with tags or trees, or leave out less")
    return kept


def taken_from(how: RunOptions) -> dict[str, Taken | None]:
    """The stages that are to be taken from other models, by their names.

    A tagger brings the one before it along; None stands for a first tagger that it does without.
    """
    found: dict[str, Taken | None] = {}
    for name, path in how.taken.items():
        stages = model.load(path)
        by_family = [stage for stage in stages if stage.about.get("family") == name]
        fitting = by_family or [stage for stage in stages if stage.kind == name]
        if not fitting:
            kinds = ", ".join(stage.kind for stage in stages)
            raise HeadwayError(f"{path}: there is no {name} to take; the model has: {kinds}")
        found[name] = Taken(name, fitting[0])
        if name == TAGGER:
            first = [stage for stage in stages if stage.about.get("family") == PRETAGGER]
            found[PRETAGGER] = Taken(PRETAGGER, first[0]) if first else None
    return found


def train_stages(
    row: Row,
    how: RunOptions,
    source: Source,
    dev: Source | None,
    output: str | os.PathLike[str] | None,
    told: Told = lambda what, share: None,
) -> Iterator[TrainingLoop]:
    """The loops of stages, one after the other; each is to be run before the next is asked for."""
    # From here on what was read is right, and layers are what stages before have predicted.
    data = flat(batches_of(source))
    judges = None if dev is None else flat(batches_of(dev))
    row = allowed(row, data) if how.pipeline else list(row)
    if _needs_folds(row, how):
        assure_folds(sentences_of(data), how.folds)
    if judges is not None and _is_parser(row[-1]):
        assure_trees(judges, "the development treebank")
    if judges is not None:
        warn_of_shared(data, judges, "development treebank")
        warn_of_unknown(data, judges, "development treebank")
    plan = WorkPlan.of(row, how, told)
    learned = [number for number, one in enumerate(row) if isinstance(one, StageOptions)]
    before: list[Stage] = []
    for number, one in enumerate(row):
        if isinstance(one, Taken):
            _say_seen(one, data)
            before.append(one.stage)
            data, judges = _annotated(one.stage, data), judges and _annotated(one.stage, judges)
            continue
        is_last = number == learned[-1]
        files = TrainingFiles.of(output, one.family, is_last)
        if not how.resume:
            files.remove()
        options = _decided(one, data, judges, how, how.tuned if is_last else (), files.choices)
        loop = TrainingLoop(options, data, dev=judges, patience=how.patience, checkpoint=files.checkpoint)
        loop.choices, loop.parts, loop.is_last = files.choices, None if is_last else files.parts, is_last
        loop.before, loop.place = tuple(before), (number + 1, len(row))
        loop.after = tuple(other.stage for other in row[number + 1 :] if isinstance(other, Taken)) if is_last else ()
        loop.told = plan.heard(2 * number, one.title)
        yield loop
        if is_last and loop.best is None:
            return  # whoever asked has not run it yet
        assert loop.best is not None
        if is_last and how.calibrate not in (None, NONE) and not isinstance(loop.best, Confident):
            logger.warning("a %s cannot say how sure it is, so that it learns no confidences", loop.best.kind)
        loop.best = _calibrated(loop.best, loop.options, data, judges, how)
        if is_last:
            return
        before.append(loop.best)
        if isinstance(loop.best, SegmentingStage):
            continue
        judges = judges and _annotated(loop.best, judges)
        if not how.jackknife:
            continue
        # The next stage learns from mistakes as they are on text that this one has not seen.
        data = jackknife.jackknifed(
            jackknife.with_passes(loop.options, loop.best.about.get("passes")),
            data,
            how.folds,
            workers=how.at_once,
            path=files.parts,
            heard=plan.heard(2 * number + 1, f"{one.title}, in {how.folds} parts"),
        )


def _calibrated(
    stage: Stage, options: StageOptions, data: Sequence[Batch], dev: Sequence[Batch] | None, how: RunOptions
) -> Stage:
    """The stage, which then can say how sure it is if it ever can."""
    way = how.calibrate or (DEV if dev is not None else NONE)
    # What a first tagger says is said again.
    if not isinstance(stage, Confident) or way == NONE or options.family == PRETAGGER:
        return stage
    if way == CROSS_VALIDATION:
        return cross_calibrated(stage, options, data, how.folds, dev)
    assert dev is not None
    return calibrated(stage, dev)


def _needs_folds(row: Row, how: RunOptions) -> bool:
    """Whether the treebank will be cut into parts."""
    learned = [one for one in row if isinstance(one, StageOptions)]
    if how.calibrate == CROSS_VALIDATION or any(getattr(one, "passes", None) == AUTO for one in learned):
        return True
    return how.jackknife and any(one.family != SEGMENTER for one in learned[:-1])


def _is_parser(one: StageOptions | Taken) -> bool:
    return isinstance(one, StageOptions) and one.family not in EARLIER


def _annotated(stage: Stage, data: Sequence[Batch]) -> list[Batch]:
    return list(data) if isinstance(stage, SegmentingStage) else [stage.annotate(batch) for batch in data]


def _say_seen(taken: Taken, data: Sequence[Batch]) -> None:
    """Say where a stage has learned from the text that the next ones learn from its output on."""
    if has_learned_from([taken.stage], data):
        logger.warning(
            "the %s that is taken was trained on this treebank, where it makes too few mistakes for the next stages to"
            " learn from; take one of another treebank, or learn it here",
            taken.name,
        )


class TrainingFiles(NamedTuple):
    """The files from which an interrupted training goes on; None where no model is written."""

    checkpoint: Path | None
    choices: Path | None
    parts: Path | None

    @classmethod
    def of(cls, output: str | os.PathLike[str] | None, family: str, is_last: bool) -> TrainingFiles:
        """Those beside a model, each stage but the last with its family in the name."""
        if output is None:
            return cls(None, None, None)
        name = f"{os.fspath(output)}{'' if is_last else f'.{family}'}"
        return cls(*(Path(name + what) for what in (".checkpoint", ".choices", ".parts")))

    def remove(self) -> None:
        """Start over."""
        if self.checkpoint is not None and self.choices is not None and self.parts is not None:
            checkpoints.remove(self.checkpoint)
            choices.remove(self.choices)
            checkpoints.remove(self.parts, checkpoints.PARTS)


def _decided(
    options: StageOptions,
    data: Sequence[Batch],
    dev: Sequence[Batch] | None,
    how: RunOptions,
    names: Sequence[str],
    path: Path | None,
) -> StageOptions:
    """The options with what cross-validation and dev are to find; `path` is the file of an interrupted search."""
    automatic = getattr(options, "passes", None) == AUTO
    if not automatic and (dev is None or not names):
        return options
    known = choices.Choices(path, data, dev)
    if automatic:
        found: Mapping[str, Any] = {"passes": best_passes(options, data, how.folds, known)}
        options = replace(options, **found)
    return options if dev is None else tuned(options, data, dev, names, how.patience, known)
