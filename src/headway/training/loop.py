"""Train one stage: steps, scores on dev, early stopping, checkpoints, and resuming after an interruption."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.stage_options import StageOptions
from headway.base.version import __version__
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.stages.contract import Packed, Stage
from headway.stages.model_file import assure_packs
from headway.stages.needed_columns import ABOUT, check_input, records_of, seen_in
from headway.stages.tree_stage import memory_for
from headway.training import checkpoint as checkpoints
from headway.training.checkpoint import SECONDS, CheckpointWriter, end_of_step
from headway.training.contract import Training
from headway.training.dev_scores import Judgement, judged
from headway.training.reducing import Reduces, reduced

logger = logging.getLogger("headway")
OnProgress = Callable[[int, float], None]
"""Called with the number of the step and the share of it that is done."""
PATIENCE = 3
OURS = (ABOUT, "headway")
"""Facts that replace those of a family."""
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
    """The training of one stage from beginning to end; iterate over its steps, once.

    With dev, `best` is the best stage so far, and training ends when `patience` steps brought none better. Without, it
    is the last one, set when training ends or is interrupted.

    When training ends, but not when it is interrupted, weights that hardly matter are cut (reducing.py).
    An interrupted training resumes from `checkpoint`, with the same options, data, dev and patience. The file is
    written after steps that took long enough and at an interruption; with `keeps_checkpoint`, also when all is learned.
    Half a step cannot be saved: if steps before it are not saved yet, Ctrl-C waits for its end, unless it comes twice.
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
        keeps_checkpoint: bool = False,
    ) -> None:
        self.options = options if dev is None else options.with_dev()
        self.data, self.dev, self.patience = data, dev, patience
        self.checkpoint, self.checkpoint_seconds = checkpoint, checkpoint_seconds
        self.keeps_checkpoint = keeps_checkpoint
        self.best: Stage | None = None
        self.history: list[Step] = []
        self.on_progress: OnProgress = lambda number, share: None
        self.unit = ""
        """What a step is called, once training has begun."""
        self.planned = 0
        """How many steps there will be at the most, once training has begun."""
        self._training: Training | None = None
        self._writer: CheckpointWriter | None = None
        self._stepping = self._stopped = self._is_done = False
        self._wait_noted = 0
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

    def __iter__(self) -> Generator[Step]:
        """Train; yields after each step."""
        if self.history:
            raise HeadwayError("this training has been run; make another loop to train again")
        training = self.training
        if self.checkpoint is not None:
            if training.unwritable:
                raise HeadwayError(f"{self.checkpoint}: {training.unwritable}")
            self._writer = CheckpointWriter(self.checkpoint, self._identity(training), self.checkpoint_seconds)
        ended = False
        try:
            yield from self._steps(training)
            if not self._is_done:
                self._reduce(training)
            ended = True
        finally:
            if self._writer is not None and self.kept < len(self.history) and not ended and not self._stepping:
                self._write(training, self._writer, training.pack())
            if self.best is None and self.history:
                self._restore(training)
                self.best = self._candidate(training)
            self._training = None
        if self._writer is not None and self.keeps_checkpoint:
            self._write(training, self._writer, None)

    @property
    def kept(self) -> int:
        """How many steps the checkpoint holds."""
        return 0 if self._writer is None else self._writer.steps

    def _reduce(self, training: Training) -> None:
        """Cut weights and learn the others again. A checkpoint keeps what was learned before."""
        if not isinstance(training, Reduces) or not training.reduction.shares or not self.history:
            return
        if self._writer is not None and self.kept < len(self.history):
            self._write(training, self._writer, training.pack())
        before, number = self.best or self._candidate(training), len(self.history)

        def learn() -> None:
            nonlocal number
            number += 1
            with memory_for(self.data, TOO_LONG):
                training.step(number, partial(self.on_progress, len(self.history)))

        def judge() -> tuple[Stage, Judgement | None]:
            passes = before.about.get("passes", len(self.history))
            stage = self._described(training.candidates()[0], number).with_about(passes=passes)
            judgement = None if self.dev is None else judged(stage, self.dev)
            return stage if judgement is None else stage.with_about(dev=judgement.facts), judgement

        self.best = reduced(training, learn, judge, self.history[-1].dev)

    def _steps(self, training: Training) -> Iterator[Step]:
        """Step after step, from where an earlier run was interrupted."""
        if self._resume(training):
            return
        while len(self.history) < training.planned and not self._stopped and not self._is_stale(training):
            if self._writer is None or self._writer.steps == len(self.history):
                goes_on = self._step(training, self.on_progress)
            else:
                with end_of_step() as is_interrupted:
                    goes_on = self._step(training, partial(self._note_wait, is_interrupted))
            if not goes_on:
                return
            if self._writer is not None and self._writer.is_due and len(self.history) < training.planned:
                self._write(training, self._writer, training.pack())
            yield self.history[-1]

    def _step(self, training: Training, on_progress: OnProgress) -> bool:
        """One step; whether there was something left to be learned."""
        started, number = time.perf_counter(), len(self.history) + 1
        self._stepping = True
        with memory_for(self.data, TOO_LONG):
            told = training.step(number, partial(on_progress, number))
        if told is not None:
            judgement = None if self.dev is None else self._judged(training)
            self.history.append(Step(number, told, time.perf_counter() - started, judgement, training.unit))
        self._stepping = False
        return told is not None

    def _note_wait(self, is_interrupted: Callable[[], bool], number: int, share: float) -> None:
        """Report progress; say once why an interrupted step does not end at once."""
        self.on_progress(number, share)
        if is_interrupted() and self._wait_noted < number:
            self._wait_noted = number
            logger.warning("%s %d ends first; press Ctrl-C again to stop at once", self.unit, number)

    def _write(self, training: Training, writer: CheckpointWriter, state: Packed | None) -> None:
        """Write the checkpoint; a training that is done has no state. A best that can be made anew is not saved."""
        writer.write(self.history, self.best if state is None or self._chooses(training) else None, state)

    def _chooses(self, training: Training) -> bool:
        return self.dev is not None and training.keeps_best

    def _restore(self, training: Training) -> None:
        """Take back half a step that an interruption has left, as far as there is a checkpoint to go back to."""
        if self._stepping and self.checkpoint is not None and self.checkpoint.exists():
            with suppress(HeadwayError):
                found = checkpoints.load(self.checkpoint, self._identity(training), training)
                if not found.is_done:
                    del self.history[len(found.history) :]

    def _candidate(self, training: Training) -> Stage:
        stage, judgement = self._described(training.candidates()[0], len(self.history)), self.history[-1].dev
        return stage if judgement is None else stage.with_about(dev=judgement.facts)

    def _described(self, stage: Stage, step: int) -> Stage:
        """The stage after a step, with what every model says of itself; what its family says takes precedence."""
        if self._facts is None:
            if self.checkpoint is not None:
                assure_packs(stage)
            self._facts = {
                "family": self.options.family,
                "options": self.options.identity(),
                "sentences": sum(map(len, self.data)),
                "words": sum(len(batch.word_line) for batch in self.data),
                "treebank_digest": self.training.digest,
                ABOUT: seen_in(self.data, stage.needs),
                "headway": __version__,
            }
        facts = {"passes": step, **self._facts}
        return stage.with_about(
            **{name: fact for name, fact in facts.items() if name in OURS or name not in stage.about}
        )

    def _judged(self, training: Training) -> Judgement:
        """The scores of the best candidate, which is kept if none before it was as good."""
        assert self.dev is not None
        stages = [self._described(stage, len(self.history) + 1) for stage in training.candidates()]
        if not self.history and self.dev:
            check_input(self.dev[0], records_of(stages[0].about[ABOUT], stages[0].needs), force=True)
        found = [(judged(stage, self.dev), stage) for stage in stages]
        judgement, stage = max(found, key=lambda pair: pair[0].main)
        before = max((step.dev.main for step in self.history if step.dev), default=float("-inf"))
        if training.keeps_best and judgement.main > before:
            self.best = stage.with_about(dev=judgement.facts)
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
        assert self._writer is not None
        self.best, self._writer.steps = found.best, len(found.history)
        for entry in found.history:
            definition, scores, tags = entry["dev"] or ("", [], "")
            dev = Judgement(definition, dict(scores), tags) if scores else None
            self.history.append(Step(entry["number"], entry["told"], entry["seconds"], dev, training.unit))
        if found.is_done:
            logger.warning("%s: the %s is learned already", self.checkpoint, self.options.title)
            self._is_done = True
            return True
        done, most = len(self.history), "at most " if chooses else ""
        logger.warning("%s: going on after %s %d of %s%d", self.checkpoint, self.unit, done, most, training.planned)
        return False
