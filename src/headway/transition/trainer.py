"""Training a transition parser, pass by pass."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from headway import model as files
from headway.batch import Batch
from headway.batch_parser import attachment
from headway.errors import HeadwayError
from headway.features.language import Feature
from headway.learners.batch import BatchLearner
from headway.learners.registry import Learner, name_of
from headway.learners.registry import learner as learner_named
from headway.transition.batch_training import BatchWork
from headway.transition.data import Source, batches_of
from headway.transition.parser import TransitionParser
from headway.transition.system import System
from headway.transition.work import Work

CHECKPOINT = "checkpoint of a transition parser"


@dataclass(frozen=True)
class Pass:
    """What one pass over the treebank came to; scores in per cent, on dev, where there is one."""

    number: int
    mistakes: float
    """Share of the examples that were predicted wrongly."""
    updates: int
    seconds: float
    las: float | None = None
    uas: float | None = None


@dataclass(kw_only=True)
class Trainer:
    """Learns a transition parser from a treebank: options as fields, `run` does the work pass by pass."""

    system: System = field(default_factory=System)
    features: str | Sequence[Feature] = "default"
    learner: Learner | str = "mira"
    encoding: str = "head"
    """How lifted arcs are marked: a name of `pseudoprojective.ENCODINGS`."""
    mark_cutoff: int = 10
    """Labels of lifted arcs that are seen less often lose their marks."""
    two_step: bool = False
    """Choose the action first, then the label."""
    explore: float = 0.0
    """How often the parser follows its own prediction in training (dynamic oracle, arc-eager); 0 for the static one."""
    cutoff: int = 1
    """Features seen less often are left out."""
    prune: float = 0.3
    """Weights smaller than this share of their root mean square are left out of the model."""
    shuffle: bool = True
    seed: int = 1
    dev: Source | None = None
    patience: int = 3
    """With dev: passes without a better score before training stops."""
    checkpoint: str | os.PathLike[str] | None = None
    """Where to keep the state of the training, to go on from after an interruption."""
    checkpoint_seconds: float = 60.0
    progress: Callable[[int, float], None] = lambda number, share: None
    """Hears the number of the pass and what share of it is done."""
    best: TransitionParser | None = None
    history: list[Pass] = field(default_factory=list)

    def run(self, source: Source) -> Iterator[Pass]:
        """Train; yields after each pass.

        With dev, `best` is then the best parser so far; without, it is the last one, and there when training ends or
        is interrupted.
        """
        if self.explore and self.system.name != "arc-eager":
            raise HeadwayError("exploration needs a dynamic oracle, which only arc-eager has; leave --explore out")
        learner = learner_named(self.learner) if isinstance(self.learner, str) else self.learner
        batches = list(batches_of(source))
        work = BatchWork(self, learner, batches) if isinstance(learner, BatchLearner) else Work(self, learner, batches)
        dev = None if self.dev is None else list(batches_of(self.dev))
        try:
            yield from self._passes(work, learner.passes, dev)
        finally:
            if dev is None and self.history:
                self.best = work.parser(len(self.history))
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)

    def _passes(self, work: Work, passes: int, dev: Sequence[Batch] | None) -> Iterator[Pass]:
        """Pass after pass, from where an earlier run was interrupted."""
        done = self._resume(work)
        saved = time.monotonic()
        for number in range(done + 1, passes + 1):
            started = time.perf_counter()
            tally = work.one_pass(number, lambda share, number=number: self.progress(number, share))  # type: ignore[misc]
            las, uas = self._scored(work, number, dev) if dev is not None else (None, None)
            mistakes = 100 * tally["mistakes"] / max(1, tally["examples"])
            self.history.append(Pass(number, mistakes, tally["updates"], time.perf_counter() - started, las, uas))
            if self.checkpoint is not None and number < passes and time.monotonic() - saved >= self.checkpoint_seconds:
                self._save(work)
                saved = time.monotonic()
            yield self.history[-1]
            if las is not None and number - self._best_pass() >= self.patience:
                break

    def _scored(self, work: Work, number: int, dev: Sequence[Batch]) -> tuple[float, float]:
        """LAS and UAS on dev of the parser as it is now, which is kept if it is the best so far."""
        parser = work.parser(number)
        las, uas = attachment(parser, dev)
        if las > max((done.las or 0.0 for done in self.history), default=-1.0):
            self.best = replace(parser, about={**parser.about, "dev_las": las, "dev_uas": uas})
        return las, uas

    def _best_pass(self) -> int:
        return max(self.history, key=lambda p: p.las or 0.0).number

    def _save(self, work: Work) -> None:
        """Write all that is needed to go on after the last pass."""
        keys, sizes, classes, planes = work.weights.dump()
        best = self.best or work.parser(len(self.history))
        assert self.checkpoint is not None
        header = {
            "kind": CHECKPOINT,
            "identity": self._identity(work),
            "steps": work.steps,
            "history": [asdict(entry) for entry in self.history],
            "best": best.about,
        }
        arrays = {"keys": keys, "sizes": sizes, "classes": classes, "planes": planes}
        files.save(self.checkpoint, header, {**arrays, **best.weights._asdict()})

    def _resume(self, work: Work) -> int:
        """Take up an interrupted training, if there is one; the number of passes done."""
        if self.checkpoint is None or not Path(self.checkpoint).exists():
            return 0
        header, arrays = files.load(self.checkpoint)
        if header.get("kind") != CHECKPOINT or header.get("identity") != self._identity(work):
            raise HeadwayError(
                f"{os.fspath(self.checkpoint)}: this checkpoint is of another training (other treebank or options); "
                "remove it, or name another model"
            )
        work.weights.restore(*(arrays[name] for name in ("keys", "sizes", "classes", "planes")))
        work.steps = header["steps"]
        self.history = [Pass(**entry) for entry in header["history"]]
        best = work.parser(len(self.history))
        slots, rows = np.array(arrays["slots"]), np.array(arrays["rows"])
        self.best = replace(best, weights=best.weights._replace(slots=slots, rows=rows), about=header["best"])
        return len(self.history)

    def _identity(self, work: Work) -> dict[str, Any]:
        """What must be the same for a training to be the same."""
        return {
            "treebank": work.digest,
            "features": [str(feature) for feature in work.templates.features],
            "learner": name_of(work.learner),
            "learner_options": asdict(work.learner),
            "system": asdict(self.system),
            "options": [
                self.encoding,
                self.mark_cutoff,
                self.two_step,
                self.explore,
                self.cutoff,
                self.shuffle,
                self.seed,
            ],
        }
