"""Training pass by pass, whatever is trained: scores on dev, early stopping, checkpoints, going on after one."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from headway import model as files
from headway.batch import Batch
from headway.batch_parser import attachment
from headway.errors import HeadwayError
from headway.features.language import Feature
from headway.learners.registry import Learner, name_of
from headway.learners.registry import learner as learner_named
from headway.transition.data import Source, batches_of

ParserT = TypeVar("ParserT", bound=Any)
Found = TypeVar("Found", bound=Any, covariant=True)
WorkT = TypeVar("WorkT", bound="Work[Any]")


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


class Work(Protocol[Found]):
    """What a training keeps in memory."""

    learner: Any
    digest: str
    steps: int
    templates: Any

    def one_pass(self, number: int, progress: Callable[[float], None]) -> Mapping[str, int]:
        """Learn from the whole treebank once; counts of examples, mistakes and updates."""

    def parser(self, passes: int) -> Found:
        """The parser as it is now."""

    def state(self) -> dict[str, files.Array]:
        """What has been learned, as arrays."""

    def restore(self, arrays: Mapping[str, files.Array]) -> None:
        """Take back what `state` gave."""


@dataclass(kw_only=True)
class PassTrainer(ABC, Generic[ParserT, WorkT]):
    """Options that all trainings have, as fields; `run` does the work pass by pass."""

    checkpoint_kind: ClassVar[str]
    unit: ClassVar[str] = "pass"
    features: str | Sequence[Feature] = "default"
    learner: Learner | str
    encoding: str = "head"
    """How lifted arcs are marked: a name of `pseudoprojective.ENCODINGS`."""
    mark_cutoff: int = 10
    """Labels of lifted arcs that are seen less often lose their marks."""
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
    best: ParserT | None = None
    history: list[Pass] = field(default_factory=list)
    _work: WorkT | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def planned(self) -> int:
        """How many passes there will be at the most."""
        learner = learner_named(self.learner) if isinstance(self.learner, str) else self.learner
        return learner.passes

    @abstractmethod
    def begin(self, learner: Learner, batches: Sequence[Batch]) -> WorkT:
        """Everything that is ready before the first pass, where all options go together."""

    @abstractmethod
    def _identity(self, work: WorkT) -> dict[str, Any]:
        """What else must be the same for a training to be the same."""

    @abstractmethod
    def _described(self, parser: ParserT) -> tuple[dict[str, Any], dict[str, files.Array]]:
        """What the best parser has that the training has not: values and arrays."""

    @abstractmethod
    def _rebuilt(self, parser: ParserT, header: Mapping[str, Any], arrays: Mapping[str, files.Array]) -> ParserT:
        """The best parser, from what `_described` gave and any parser of this training."""

    def _judged(self, parser: ParserT, dev: Sequence[Batch]) -> tuple[ParserT, float, float]:
        """The parser with its LAS and UAS on dev."""
        return parser, *attachment(parser, dev)

    def run(self, source: Source) -> Iterator[Pass]:
        """Train; yields after each pass.

        With dev, `best` is then the best parser so far; without, it is the last one, and there when training ends or
        is interrupted.
        """
        learner = learner_named(self.learner) if isinstance(self.learner, str) else self.learner
        work = self._work = self.begin(learner, list(batches_of(source)))
        dev = None if self.dev is None else list(batches_of(self.dev))
        try:
            yield from self._passes(work, learner.passes, dev)
        finally:
            if dev is None and self.history:
                self.best = work.parser(len(self.history))
            self._work = None
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)

    def now(self) -> ParserT:
        """The parser after the pass that `run` has just yielded, whether it is the best or not."""
        if self._work is None:
            raise HeadwayError("no training is under way; ask for its parser between two passes of run")
        parser: ParserT = self._work.parser(len(self.history))
        return parser

    def _passes(self, work: WorkT, passes: int, dev: Sequence[Batch] | None) -> Iterator[Pass]:
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

    def _scored(self, work: WorkT, number: int, dev: Sequence[Batch]) -> tuple[float, float]:
        """LAS and UAS on dev of the parser as it is now, which is kept if it is the best so far."""
        parser, las, uas = self._judged(work.parser(number), dev)
        if las > max((done.las or 0.0 for done in self.history), default=-1.0):
            self.best = replace(parser, about={**parser.about, "dev_las": las, "dev_uas": uas})
        return las, uas

    def _best_pass(self) -> int:
        return max(self.history, key=lambda done: done.las or 0.0).number

    def _same(self, work: WorkT) -> dict[str, Any]:
        """What must be the same for a training to be the same."""
        return {
            "treebank": work.digest,
            "features": [str(feature) for feature in work.templates.features],
            "learner": name_of(work.learner),
            "learner_options": asdict(work.learner),
            "encoding": [self.encoding, self.mark_cutoff],
            "order": [self.shuffle, self.seed],
            **self._identity(work),
        }

    def _save(self, work: WorkT) -> None:
        """Write all that is needed to go on after the last pass."""
        assert self.checkpoint is not None
        best = self.best or work.parser(len(self.history))
        values, arrays = self._described(best)
        header = {
            "kind": self.checkpoint_kind,
            "identity": self._same(work),
            "steps": work.steps,
            "history": [asdict(entry) for entry in self.history],
            "best": {"about": best.about, **values},
        }
        files.save(self.checkpoint, header, {**work.state(), **{f"best_{name}": a for name, a in arrays.items()}})

    def _resume(self, work: WorkT) -> int:
        """Take up an interrupted training, if there is one; the number of passes done."""
        if self.checkpoint is None or not Path(self.checkpoint).exists():
            return 0
        header, arrays = files.load(self.checkpoint)
        if header.get("kind") != self.checkpoint_kind or header.get("identity") != self._same(work):
            raise HeadwayError(
                f"{os.fspath(self.checkpoint)}: this checkpoint is of another training (other treebank or options); "
                "remove it, or name another model"
            )
        work.restore(arrays)
        work.steps = header["steps"]
        self.history = [Pass(**entry) for entry in header["history"]]
        kept = {name.removeprefix("best_"): array for name, array in arrays.items() if name.startswith("best_")}
        rebuilt = self._rebuilt(work.parser(len(self.history)), header["best"], kept)
        self.best = replace(rebuilt, about=header["best"]["about"])
        return len(self.history)
