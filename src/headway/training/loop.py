"""The one training loop: progress, scores on dev, early stopping, checkpoints, interruptions, going on after one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headway.batch import Batch
from headway.data import digest_of
from headway.errors import HeadwayError
from headway.options import StageOptions
from headway.stage import Stage
from headway.training import checkpoint
from headway.training.contract import Training
from headway.training.judging import Judgement, judged
from headway.tree_stage import memory_for

Heard = Callable[[int, float], None]
"""Hears the number of the step and what share of it is done."""
PATIENCE = 3
TOO_LONG = "cut it into several, or leave it out of the treebank"
SECONDS = 60.0
"""So much work may be lost at an interruption, and that of the step under way."""


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
    is the last one, and there when training ends or is interrupted. A checkpoint is a file to go on from; it is of use
    to the same options, data, dev and patience only.
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
        self.unit = ""
        """What a step is called, once training has begun."""
        self.planned = 0
        """How many steps there will be at the most, once training has begun."""
        self._training: Training | None = None

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

    def now(self) -> Stage:
        """The stage after the step that has just been yielded, whether it is the best or not."""
        if self._training is None:
            raise HeadwayError("no training is under way; ask for its stage between two steps")
        return self._training.candidates()[0]

    def __iter__(self) -> Iterator[Step]:
        """Train; yields after each step."""
        if self.history:
            raise HeadwayError("this training has been run; make another loop to train again")
        training = self.training
        if self.checkpoint is not None and training.unwritable:
            raise HeadwayError(f"{self.checkpoint}: {training.unwritable}")
        try:
            yield from self._steps(training)
        finally:
            if not self._chooses(training) and self.history:
                self.best = self._candidate(training)
            self._training = None
        if self.checkpoint is not None:
            self.checkpoint.unlink(missing_ok=True)

    def _steps(self, training: Training) -> Iterator[Step]:
        """Step after step, from where an earlier run was interrupted."""
        self._resume(training)
        saved = time.monotonic()
        while len(self.history) < training.planned and not self._is_stale(training):
            started, number = time.perf_counter(), len(self.history) + 1
            with memory_for(self.data, TOO_LONG):
                told = training.step(number, lambda share, number=number: self.heard(number, share))  # type: ignore[misc]
            if told is None:
                return
            judgement = None if self.dev is None else self._judged(training)
            self.history.append(Step(number, told, time.perf_counter() - started, judgement, training.unit))
            late = time.monotonic() - saved >= self.checkpoint_seconds
            if self.checkpoint is not None and late and number < training.planned:
                self._save(training)
                saved = time.monotonic()
            yield self.history[-1]

    def _chooses(self, training: Training) -> bool:
        return self.dev is not None and training.keeps_best

    def _candidate(self, training: Training) -> Stage:
        stage, judgement = training.candidates()[0], self.history[-1].dev
        return stage if judgement is None else _with_scores(stage, judgement)

    def _judged(self, training: Training) -> Judgement:
        """The scores of the best candidate, which is kept if none before it was as good."""
        assert self.dev is not None
        found = [(judged(stage, self.dev), stage) for stage in training.candidates()]
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
            "family": self.options.family,
            "options": self.options.identity(),
            "data": training.digest,
            "dev": None if self.dev is None else [digest_of(self.dev), self.patience],
        }

    def _save(self, training: Training) -> None:
        assert self.checkpoint is not None
        best = self.best if self.best is not None else training.candidates()[0]
        checkpoint.save(self.checkpoint, self._identity(training), self.history, best.pack(), training.pack())

    def _resume(self, training: Training) -> None:
        """Take up an interrupted training, if there is one."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return
        found = checkpoint.load(self.checkpoint, self._identity(training))
        training.restore(found.state)
        self.best = found.best
        self.history = [
            Step(entry["number"], entry["told"], entry["seconds"], _judgement(entry["dev"]), training.unit)
            for entry in found.history
        ]


def _judgement(entry: list[Any] | None) -> Judgement | None:
    return None if entry is None else Judgement(entry[0], dict(entry[1]))


def _with_scores(stage: Stage, judgement: Judgement) -> Stage:
    return stage.with_about(dev={"definition": judgement.definition, **judgement.scores})
