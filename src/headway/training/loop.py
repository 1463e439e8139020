"""The one training loop: progress, scores on dev, early stopping, checkpoints, interruptions, going on after one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.stages.contract import Packed, Stage
from headway.stages.model_file import assure_packs
from headway.stages.needed_columns import ABOUT, check_input
from headway.stages.tree_stage import memory_for
from headway.training import checkpoint as checkpoints
from headway.training import choices
from headway.training.checkpoint_writer import SECONDS, CheckpointWriter
from headway.training.contract import Training
from headway.training.described import described, facts_of
from headway.training.interruptions import EndOfStep
from headway.training.judging import Judgement, judged

logger = logging.getLogger("headway")
Heard = Callable[[int, float], None]
"""Hears the number of the step and what share of it is done."""
PATIENCE = 3
TOO_LONG = "cut it into several, or leave it out of the treebank"


@dataclass(frozen=True)
class Step:
    """What one step came to."""

    number: int
    told: Mapping[str, float]
    """What the training tells of it, such as the share of mistakes."""
    seconds: float
    dev: Judgement | None = None
    unit: str = "step"
    """What a step of this training is called: a pass, a round."""

    def __str__(self) -> str:
        """A line for whoever watches the training."""
        parts = [f"{self.unit} {self.number:2}"]
        for name, value in self.told.items():
            if name.endswith(" %"):
                parts.append(f"{name.removesuffix(' %')} {value:5.2f} %")
            else:
                parts.append(f"{value:,} {name}" if type(value) is int else f"{name} {value:5.2f}")
        parts.append(f"{self.seconds:6.1f} s")
        return "  ".join([*parts, *([f"dev {self.dev}"] if self.dev else [])])


class TrainingLoop:
    """A training from beginning to end; iterate over its steps, once.

    With dev, `best` is the best stage so far, and training ends when `patience` steps brought none better. Without, it
    is the last one, and there when training ends or is interrupted.

    A checkpoint is a file to go on from, with the same options, data, dev and patience. It is written after steps that
    took long enough and at an interruption, and stays until `discard`: nothing is lost before the result is safe. Half
    a step cannot be saved: where steps before it are not safe yet, an interruption counts at its end, or when it comes
    twice.
    """

    def __init__(
        self,
        options: StageOptions,
        data: Sequence[Batch],
        *,
        dev: Sequence[Batch] | None = None,
        patience: int = PATIENCE,
        checkpoint: Path | None = None,
        checkpoint_seconds: float = SECONDS,
    ) -> None:
        self.options = options if dev is None else options.with_dev()
        self.data, self.dev, self.patience = data, dev, patience
        self.checkpoint, self.checkpoint_seconds = checkpoint, checkpoint_seconds
        self.best: Stage | None = None
        self.history: list[Step] = []
        self.heard: Heard = lambda number, share: None
        self.is_last = True
        """Whether this is the last stage of its row."""
        self.choices: Path | None = None
        """The file of the search that has found these options, if there was one."""
        self.parts: Path | None = None
        """The file of what was learned in parts for the next stage, if there is one."""
        self.before: tuple[Stage, ...] = ()
        """The stages before this one in its row."""
        self.after: tuple[Stage, ...] = ()
        """The stages behind the last one of its row that is learned."""
        self.place = (1, 1)
        """Which stage of its row this is, and how many there are."""
        self.told: Callable[[float], None] = lambda share: None
        """Hears what share of the training is done; who listens knows how much the other stages take."""
        self.unit = ""
        """What a step is called, once training has begun."""
        self.planned = 0
        """How many steps there will be at the most, once training has begun."""
        self._training: Training | None = None
        self._keeper: CheckpointWriter | None = None
        self._stepping = self._stopped = False
        self._told_to_wait = 0
        self._facts: dict[str, Any] | None = None

    @property
    def training(self) -> Training:
        """The training under way, begun where it has not been."""
        if self._training is None:
            with memory_for(self.data, TOO_LONG):
                self._training = self.options.begin(self.data)
            self.unit, self.planned = self._training.unit, self._training.planned
        return self._training

    def run(self) -> Stage:
        """Train to the end; the stage that is kept."""
        for _ in self:
            pass
        assert self.best is not None
        return self.best

    def stop(self) -> None:
        """Let training end after the step that has just been yielded, as if no more had been planned."""
        self._stopped = True

    def now(self) -> Stage:
        """The stage after the step that has just been yielded, whether it is the best or not."""
        if self._training is None:
            raise HeadwayError("no training is under way; ask for its stage between two steps")
        return self._described(self._training.candidates()[0], len(self.history))

    def __iter__(self) -> Iterator[Step]:
        """Train; yields after each step."""
        if self.history:
            raise HeadwayError("this training has been run; make another loop to train again")
        training = self.training
        if self.checkpoint is not None:
            if training.unwritable:
                raise HeadwayError(f"{self.checkpoint}: {training.unwritable}")
            self._keeper = CheckpointWriter(self.checkpoint, self.checkpoint_seconds)
        ended = False
        try:
            yield from self._steps(training)
            ended = True
        finally:
            if self._keeper is not None and not ended:
                self._save_at_once(training, self._keeper)
            if self.best is None and self.history:
                self._restore(training)
                self.best = self._candidate(training)
            self._training = None
        if self._keeper is not None and not self.is_last:
            # The stages after this one may be interrupted, too.
            self._keeper.write(self._snapshot(training, None))

    def discard(self) -> None:
        """Remove the files to go on from: what was learned is safe, or no longer wanted."""
        if self.checkpoint is not None:
            checkpoints.remove(self.checkpoint)
        if self.choices is not None:
            choices.remove(self.choices)
        if self.parts is not None:
            checkpoints.remove(self.parts, checkpoints.PARTS)

    @property
    def kept(self) -> int:
        """How many steps the checkpoint holds."""
        return 0 if self._keeper is None else self._keeper.steps

    def _steps(self, training: Training) -> Iterator[Step]:
        """Step after step, from where an earlier run was interrupted."""
        if self._resume(training):
            return
        while len(self.history) < training.planned and not self._stopped and not self._is_stale(training):
            if self._keeper is None or self._keeper.steps == len(self.history):
                goes_on = self._step(training, self.heard)
            else:
                with EndOfStep() as end:
                    goes_on = self._step(training, partial(self._heard_until, end))
            if not goes_on:
                return
            if self._keeper is not None and self._keeper.is_due and len(self.history) < training.planned:
                self._keeper.write(self._snapshot(training, training.pack()))
            yield self.history[-1]

    def _step(self, training: Training, heard: Heard) -> bool:
        """One step; whether there was something left to be learned."""
        started, number = time.perf_counter(), len(self.history) + 1
        self._stepping = True
        with memory_for(self.data, TOO_LONG):
            told = training.step(number, partial(heard, number))
        if told is not None:
            judgement = None if self.dev is None else self._judged(training)
            self.history.append(Step(number, told, time.perf_counter() - started, judgement, training.unit))
        self._stepping = False
        return told is not None

    def _heard_until(self, end: EndOfStep, number: int, share: float) -> None:
        """Pass on what share of a step is done; say once why it does not end at once."""
        self.heard(number, share)
        if end.is_awaited and self._told_to_wait < number:
            self._told_to_wait = number
            logger.warning("%s %d ends first; press Ctrl-C again to stop at once", self.unit, number)

    def _save_at_once(self, training: Training, keeper: CheckpointWriter) -> None:
        """Save all steps that are done, unless half another one has been done since."""
        if not self._stepping and keeper.steps < len(self.history):
            keeper.write(self._snapshot(training, training.pack()))

    def _snapshot(self, training: Training, state: Packed | None) -> checkpoints.Snapshot:
        """The training as it is now; one that is done has no state. A best that can be made anew is not kept."""
        best = self.best if state is None or self._chooses(training) else None
        return checkpoints.snapshot(self._identity(training), self.history, best, state)

    def _chooses(self, training: Training) -> bool:
        return self.dev is not None and training.keeps_best

    def _restore(self, training: Training) -> None:
        """Take back half a step that an interruption has left, as far as there is a checkpoint to go back to."""
        if self._stepping and self.checkpoint is not None and self.checkpoint.exists():
            with suppress(HeadwayError):
                found = checkpoints.load(self.checkpoint, self._identity(training), training)
                if found.state is not None:
                    checkpoints.restore(self.checkpoint, training, found.state)
                    del self.history[len(found.history) :]

    def _candidate(self, training: Training) -> Stage:
        stage, judgement = self._described(training.candidates()[0], len(self.history)), self.history[-1].dev
        return stage if judgement is None else _with_scores(stage, judgement)

    def _described(self, stage: Stage, step: int) -> Stage:
        """The stage after a step, with what every model says of itself."""
        if self._facts is None:
            if self.checkpoint is not None:
                assure_packs(stage)
            self._facts = facts_of(self.options, self.data, stage.needs, self.training.digest)
        return described(stage, self._facts, step)

    def _judged(self, training: Training) -> Judgement:
        """The scores of the best candidate, which is kept if none before it was as good."""
        assert self.dev is not None
        stages = [self._described(stage, len(self.history) + 1) for stage in training.candidates()]
        if not self.history and self.dev:
            check_input(self.dev[0], stages[0].needs, stages[0].about[ABOUT], force=True)
        found = [(judged(stage, self.dev), stage) for stage in stages]
        judgement, stage = max(found, key=lambda pair: pair[0].main)
        before = max((step.dev.main for step in self.history if step.dev), default=float("-inf"))
        if training.keeps_best and judgement.main > before:
            self.best = _with_scores(stage, judgement)
        return judgement

    def _is_stale(self, training: Training) -> bool:
        """Whether the last steps brought nothing better."""
        if not self._chooses(training) or not self.history:
            return False
        best = max(self.history, key=lambda step: step.dev.main if step.dev else 0.0)
        return len(self.history) - best.number >= self.patience

    def _identity(self, training: Training) -> dict[str, Any]:
        """What must be the same for a training to be the same."""
        return {
            **checkpoints.identity_of(self.options),
            "data": training.digest,
            "dev": None if self.dev is None else digest_of(self.dev),
            "patience": None if self.dev is None else self.patience,
        }

    def _resume(self, training: Training) -> bool:
        """Take up an interrupted training, if there is one; whether it was done."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return False
        chooses = self._chooses(training)
        found = checkpoints.load(self.checkpoint, self._identity(training), training, chooses=chooses)
        assert self._keeper is not None
        self.best, self._keeper.steps = found.best, len(found.history)
        self.history = [
            Step(entry["number"], entry["told"], entry["seconds"], _judgement(entry["dev"]), training.unit)
            for entry in found.history
        ]
        if found.state is None:
            logger.warning("%s: the %s is learned already", self.checkpoint, self.options.title)
            return True
        checkpoints.restore(self.checkpoint, training, found.state)
        done, most = len(self.history), "at most " if chooses else ""
        logger.warning("%s: going on after %s %d of %s%d", self.checkpoint, self.unit, done, most, training.planned)
        return False


def _judgement(entry: list[Any] | None) -> Judgement | None:
    return None if entry is None else Judgement(entry[0], dict(entry[1]), entry[2])


def _with_scores(stage: Stage, judgement: Judgement) -> Stage:
    return stage.with_about(
        dev={
            "definition": judgement.definition,
            **({"tags": judgement.tags} if judgement.tags else {}),
            **judgement.scores,
        }
    )
