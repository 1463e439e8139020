"""Training a graph parser, pass by pass."""

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
from headway.errors import HeadwayError, known
from headway.features.language import Feature
from headway.graph.parser import PROJECTIVE, GraphParser, Shape
from headway.graph.work import GraphWork
from headway.learners.online import Online
from headway.learners.registry import ONLINE, Learner, name_of
from headway.learners.registry import learner as learner_named
from headway.transition.data import Source, batches_of
from headway.transition.trainer import Pass

CHECKPOINT = "checkpoint of a graph parser"
LEARNER = "pa-1"
"""What learns where nothing else is asked for."""
LOSSES = ("rho", "sqrt")
"""A tree's loss is the number of its wrong words, or the square root of that."""


@dataclass(kw_only=True)
class GraphTrainer:
    """Learns a graph parser from a treebank: options as fields, `run` does the work pass by pass."""

    decoder: str = "auto"
    """A name of `graph.parser.PROJECTIVE`; `auto` looks at the treebank, and at dev where there is one."""
    single_root: bool | None = None
    """Whether trees have exactly one root; None where the treebank is to decide."""
    shape: Shape = field(default_factory=Shape)
    features: str | Sequence[Feature] = "default"
    learner: Learner | str = LEARNER
    loss: str = "rho"
    counts_labels: bool = False
    """Whether a wrong label is a loss too, which needs joint labels."""
    cost_augmented: bool = True
    """Learn from the tree that is best when each wrong arc gets a bonus of 1, not from the best tree."""
    k: int = 1
    """Trees that `mira` learns from at once, at order 1."""
    encoding: str = "head"
    """How lifted arcs are marked for the projective decoder: a name of `pseudoprojective.ENCODINGS`."""
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
    best: GraphParser | None = None
    history: list[Pass] = field(default_factory=list)

    def run(self, source: Source) -> Iterator[Pass]:
        """Train; yields after each pass, when `best` is the best parser so far."""
        learner = self._checked()
        batches = list(batches_of(source))
        work = GraphWork(self, learner, batches)
        dev = None if self.dev is None else list(batches_of(self.dev))
        done = self._resume(work)
        saved = time.monotonic()
        for number in range(done + 1, learner.passes + 1):
            started = time.perf_counter()
            tally = work.one_pass(number, lambda share, number=number: self.progress(number, share))  # type: ignore[misc]
            parser, las, uas = self._judged(work.parser(number), dev)
            seconds = time.perf_counter() - started
            mistakes = 100 * tally["mistakes"] / max(1, tally["examples"])
            better = las is None or las > max((p.las or 0.0 for p in self.history), default=-1.0)
            self.history.append(Pass(number, mistakes, tally["updates"], seconds, las, uas))
            if better:
                self.best = replace(parser, about={**parser.about, "dev_las": las, "dev_uas": uas})
            if (
                self.checkpoint is not None
                and number < learner.passes
                and time.monotonic() - saved >= self.checkpoint_seconds
            ):
                self._save(work)
                saved = time.monotonic()
            yield self.history[-1]
            if las is not None and number - self._best_pass() >= self.patience:
                break
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)

    def _checked(self) -> Online:
        """The learner, where all options go together."""
        learner = learner_named(self.learner) if isinstance(self.learner, str) else self.learner
        if not isinstance(learner, Online):
            raise HeadwayError(f"{name_of(learner)} does not learn from trees; {known(ONLINE)}")
        if self.loss not in LOSSES:
            raise HeadwayError(f"unknown loss {self.loss!r}; {known(LOSSES)}")
        if self.k < 1 or (self.k > 1 and (name_of(learner) != "mira" or self.shape.order == 2)):
            raise HeadwayError(f"k = {self.k}: only mira at order 1 learns from several trees at once; leave k out")
        if self.counts_labels and self.shape.labels != "joint":
            raise HeadwayError(
                "wrong labels can count as a loss where labels are joint; choose labels joint, or leave it"
            )
        return learner

    def _judged(
        self, parser: GraphParser, dev: Sequence[Batch] | None
    ) -> tuple[GraphParser, float | None, float | None]:
        """The parser with its scores on dev; where the decoder is free, with the better one."""
        if dev is None:
            return parser, None, None
        found = [(parser, *attachment(parser, dev))]
        if self.decoder == "auto":
            other = next(name for name in PROJECTIVE if name != parser.shape.decoder)
            changed = replace(parser, shape=replace(parser.shape, decoder=other))
            found.append((changed, *attachment(changed, dev)))
        return max(found, key=lambda entry: entry[1])

    def _best_pass(self) -> int:
        return max(self.history, key=lambda p: p.las or 0.0).number

    def _save(self, work: GraphWork) -> None:
        """Write all that is needed to go on after the last pass."""
        best = self.best
        assert self.checkpoint is not None and best is not None
        header = {
            "kind": CHECKPOINT,
            "identity": self._identity(work),
            "steps": work.steps,
            "history": [asdict(entry) for entry in self.history],
            "best": best.about,
            "best_shape": asdict(best.shape),
            "best_scale": best.scale,
        }
        arrays: dict[str, files.Array] = {
            "learned": work.weights,
            "sums": work.sums,
            "variances": work.variances,
            "weights": best.weights,
        }
        files.save(self.checkpoint, header, arrays)

    def _resume(self, work: GraphWork) -> int:
        """Take up an interrupted training, if there is one; the number of passes done."""
        if self.checkpoint is None or not Path(self.checkpoint).exists():
            return 0
        header, arrays = files.load(self.checkpoint)
        if header.get("kind") != CHECKPOINT or header.get("identity") != self._identity(work):
            raise HeadwayError(
                f"{os.fspath(self.checkpoint)}: this checkpoint is of another training (other treebank or options); "
                "remove it, or name another model"
            )
        work.weights, work.sums = np.array(arrays["learned"]), np.array(arrays["sums"])
        work.variances, work.steps = np.array(arrays["variances"]), header["steps"]
        self.history = [Pass(**entry) for entry in header["history"]]
        self.best = replace(
            work.parser(len(self.history)),
            shape=Shape(**header["best_shape"]),
            scale=header["best_scale"],
            weights=np.array(arrays["weights"]),
            about=header["best"],
        )
        return len(self.history)

    def _identity(self, work: GraphWork) -> dict[str, Any]:
        """What must be the same for a training to be the same."""
        return {
            "treebank": work.digest,
            "features": [str(feature) for feature in work.templates.features],
            "learner": name_of(work.learner),
            "learner_options": asdict(work.learner),
            "shape": asdict(work.shape),
            "options": [self.decoder, self.loss, self.counts_labels, self.cost_augmented, self.k],
            "order": [self.encoding, self.shuffle, self.seed],
        }
