"""Train the stages of a pipeline one after the other, each on what those before it predict."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.stage_options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import Source, assure_folds, assure_trees, batches_of, flat, sentences_of
from headway.stages import model_file as model
from headway.stages.contract import Confident, SegmentingStage, Stage
from headway.stages.parsing.parser import Parser
from headway.training import checkpoint as checkpoints
from headway.training.calibrating import CROSS_VALIDATION, DEV, NONE, calibrated, cross_calibrated
from headway.training.familiar import has_learned_from, warn_of_shared, warn_of_unknown
from headway.training.families import EARLIER
from headway.training.jackknife import jackknifed, with_passes
from headway.training.loop import Step, TrainingLoop
from headway.training.options import AUTO, PRETAGGER, SEGMENTER, TAGGER, RunOptions
from headway.training.tuning import Choices, best_passes, tuned

logger = logging.getLogger("headway")


class Taken(NamedTuple):
    """A stage of another model, in the place of one that would be trained."""

    family: str
    stage: Stage


RowWithTaken = Sequence[StageOptions | Taken]


class TrainingFiles(NamedTuple):
    """The files from which an interrupted training resumes; None where no model is written."""

    checkpoint: Path | None = None
    choices: Path | None = None
    parts: Path | None = None

    @classmethod
    def beside(cls, output: str | os.PathLike[str] | None, suffix: str) -> TrainingFiles:
        """The files beside a model."""
        if output is None:
            return cls()
        return cls(*(Path(f"{os.fspath(output)}{suffix}{what}") for what in (".checkpoint", ".choices", ".parts")))

    def remove(self) -> None:
        """Remove the files: what was learned is safe, or no longer wanted."""
        for path, kind in zip(self, (checkpoints.KIND, checkpoints.CHOICES, checkpoints.PARTS), strict=True):
            if path is not None:
                checkpoints.remove(path, kind)


@dataclass(frozen=True, eq=False)
class StageTraining:
    """The training of one stage of a row."""

    loop: TrainingLoop
    before: Sequence[Stage]
    """The stages before it."""
    stages: int
    """How many stages the row has."""
    files: TrainingFiles

    @property
    def is_last(self) -> bool:
        """Whether this is the last stage."""
        return len(self.before) + 1 == self.stages

    @property
    def title(self) -> str:
        """Which stage this is, where there are several."""
        number = f"stage {len(self.before) + 1} of {self.stages}: "
        return f"{number}{self.loop.options.title}" if self.stages > 1 else ""

    @property
    def parser(self) -> Parser:
        """The parser of this stage and those before it, once it is trained."""
        assert self.loop.best is not None
        return Parser([*self.before, self.loop.best])


class Observer:
    """Watches a training; a subclass hears what it asks for."""

    def on_stage(self, stage: StageTraining) -> None:
        """The training of a stage begins."""

    def on_progress(self, what: str, share: float) -> None:
        """What is being done, and what share of the whole training is done."""

    def on_step(self, stage: StageTraining, step: Step) -> object:
        """A step is done. If the answer is False, the stage ends here."""


def train_stages(
    row: RowWithTaken,
    how: RunOptions,
    source: Source,
    dev: Source | None,
    output: str | os.PathLike[str] | None,
    observer: Observer,
) -> list[StageTraining]:
    """Train stages one after the other; each that was trained, the last of which has the parser.

    Their files stay beside `output`: remove them when the parser is saved.
    """
    # From here on what was read is gold, and layers are what stages before have predicted.
    data = flat(batches_of(source))
    judges = None if dev is None else flat(batches_of(dev))
    row = allowed(row, data) if how.pipeline else list(row)
    if _needs_folds(row, how):
        assure_folds(sentences_of(data), how.folds)
    if judges is not None:
        if row[-1].family not in EARLIER:
            assure_trees(judges, "the development treebank")
        warn_of_shared(data, judges, "development treebank")
        warn_of_unknown(data, judges, "development treebank")
    work = _work(row, how)
    trained: list[StageTraining] = []
    before: list[Stage] = []
    for number, one in enumerate(row):
        on_progress = partial(_report, observer, work, 2 * number)
        if isinstance(one, Taken):
            if has_learned_from([one.stage], data):
                logger.warning(
                    "the %s that is taken was trained on this treebank, where it makes too few mistakes for the next"
                    " stages to learn from; take one of another treebank, or learn it here",
                    one.family,
                )
            before.append(one.stage)
            data, judges = _annotated(one.stage, data), judges and _annotated(one.stage, judges)
            continue
        is_last = number == len(row) - 1
        files = TrainingFiles.beside(output, "" if is_last else f".{one.family}")
        if not how.resume:
            files.remove()
        options = _decided(one, data, judges, how, how.tuned if is_last else (), files.choices)
        loop = TrainingLoop(
            options,
            data,
            dev=judges,
            patience=how.patience,
            checkpoint=files.checkpoint,
            keeps_checkpoint=not is_last,  # a later stage may be interrupted
        )
        trained.append(StageTraining(loop, tuple(before), len(row), files))
        _run(trained[-1], observer, on_progress)
        assert loop.best is not None
        if is_last and how.calibrate not in (None, NONE) and not isinstance(loop.best, Confident):
            logger.warning("a %s cannot say how sure it is, so that it learns no confidences", loop.best.kind)
        loop.best = _calibrated(loop, loop.best, how)
        before.append(loop.best)
        if is_last or isinstance(loop.best, SegmentingStage):
            continue
        judges = judges and _annotated(loop.best, judges)
        if how.jackknife:
            # The next stage learns from mistakes as they are on text that this one has not seen.
            data = jackknifed(
                with_passes(loop.options, loop.best.about.get("passes")),
                data,
                how.folds,
                workers=how.at_once,
                path=files.parts,
                on_progress=partial(_report, observer, work, 2 * number + 1, f"{one.title}, in {how.folds} parts"),
            )
    return trained


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


def allowed(row: RowWithTaken, data: Sequence[Batch]) -> list[StageOptions | Taken]:
    """The stages for which the treebank has something to learn from; a note says which are left out, and why."""
    kept: list[StageOptions | Taken] = []
    for one in row:
        if isinstance(one, Taken) or (lack := one.lack(data)) is None:
            kept.append(one)
        else:
            logger.warning("the treebank has no %s, so that the pipeline has no %s", lack, one.title)
    if not kept or isinstance(kept[-1], Taken):
        raise HeadwayError("there is nothing to learn here; give a treebank with tags or trees, or leave out less")
    return kept


def _run(stage: StageTraining, observer: Observer, on_progress: Callable[[str, float], None]) -> None:
    """Train one stage to the end, or until the observer says False."""
    observer.on_stage(stage)
    loop = stage.loop
    planned = loop.training.planned
    most = f"at most {planned}" if loop.dev is not None else f"{planned}"
    title = f"{stage.title}, " if stage.title else ""
    loop.on_progress = lambda number, share: on_progress(
        f"{title}{loop.unit} {number} of {most}", (number - 1 + share) / planned
    )
    with closing(iter(loop)) as steps:
        for step in steps:
            answer = observer.on_step(stage, step)
            # A comparison of scores gives a Boolean of NumPy.
            if isinstance(answer, (bool, np.bool_)) and not answer:
                loop.stop()
    on_progress(loop.options.title, 1.0)


def _work(row: RowWithTaken, how: RunOptions) -> list[float]:
    """About how long each stage takes: two numbers, for its training and for the jackknifing after it."""
    weights: list[float] = []
    for number, one in enumerate(row):
        cost = 0.0 if isinstance(one, Taken) else one.cost
        last = number == len(row) - 1 or isinstance(one, Taken) or one.family == SEGMENTER
        weights += [cost, 0.0 if last else 0.8 * cost * how.folds / min(how.folds, how.at_once)]
    return weights


def _report(observer: Observer, work: Sequence[float], place: int, what: str, share: float) -> None:
    """Tell the observer what share of the whole is done, from the share of one piece of work."""
    observer.on_progress(what, (sum(work[:place]) + share * work[place]) / (sum(work) or 1.0))


def _calibrated(loop: TrainingLoop, stage: Stage, how: RunOptions) -> Stage:
    """The stage, which then can say how sure it is if it ever can."""
    way = how.calibrate or (NONE if loop.dev is None else DEV)
    # What a first tagger says is said again.
    if not isinstance(stage, Confident) or way == NONE or loop.options.family == PRETAGGER:
        return stage
    if way == CROSS_VALIDATION:
        return cross_calibrated(stage, loop.options, loop.data, how.folds, loop.dev)
    assert loop.dev is not None
    return calibrated(stage, loop.dev)


def _needs_folds(row: RowWithTaken, how: RunOptions) -> bool:
    """Whether the treebank will be cut into parts."""
    learned = [one for one in row if isinstance(one, StageOptions)]
    if how.calibrate == CROSS_VALIDATION or any(getattr(one, "passes", None) == AUTO for one in learned):
        return True
    return how.jackknife and any(one.family != SEGMENTER for one in learned[:-1])


def _annotated(stage: Stage, data: Sequence[Batch]) -> list[Batch]:
    return list(data) if isinstance(stage, SegmentingStage) else [stage.annotate(batch) for batch in data]


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
    known = Choices(path, data, dev)
    if automatic:
        wanted: Any = options
        options = replace(wanted, passes=best_passes(options, data, how.folds, known))
    return options if dev is None else tuned(options, data, dev, names, how.patience, known)
