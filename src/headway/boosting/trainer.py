"""Training a boosted parser, round by round: scores on train and dev, checkpoints, going on after one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from headway import model as files
from headway.batch import Batch
from headway.boosting.estimators import OpaqueLocal
from headway.boosting.labels import Labeller
from headway.boosting.learning import LinearLearner
from headway.boosting.linear import LinearModel
from headway.boosting.local import EstimatorLocal, OnlineLocal
from headway.boosting.parser import BoostedParser, Form, LocalModel
from headway.boosting.rounds import Round, boost
from headway.boosting.schemes import Additive, Scheme
from headway.boosting.scores import Scores
from headway.boosting.work import Work
from headway.errors import HeadwayError, known
from headway.features.language import Feature
from headway.learners.exponential import Exponential
from headway.learners.registry import name_of
from headway.transition.data import Source, batches_of

KEEP = ("last", "best", "ensemble")
CHECKPOINT = "checkpoint of a boosted parser"


@dataclass(frozen=True)
class RoundScores:
    """What one round came to."""

    number: int
    wrong: int
    """Pairs that the parser got wrong in the treebank it learned from."""
    share: float
    seconds: float
    train: Scores
    dev: Scores | None = None


@dataclass(kw_only=True)
class BoostedTrainer:
    """Learns a boosted parser from a treebank: options as fields, `run` does the work round by round."""

    unit: ClassVar[str] = "round"
    features: str | Sequence[Feature] = "default"
    label_features: str | Sequence[Feature] = "default"
    form: Form = field(default_factory=Form)
    single_root: bool | None = None
    """Whether trees have exactly one root; None where the treebank is to decide."""
    learner: LinearLearner | OpaqueLocal = field(default_factory=Exponential)
    labels: LinearLearner = field(default_factory=lambda: Exponential(tolerance=0.01))
    """What learns the labels, once."""
    scheme: Scheme = field(default_factory=Additive)
    rounds: int = 4
    keep: str | None = None
    """The model of the `last` round, of the `best` on dev, or the `ensemble` of all; None for what fits the scheme."""
    held_out: int = 0
    """Sentences are judged in so many folds, each by what was learned from the others; 0: by what all have taught."""
    cutoff: int = 1
    """Features seen less often are left out."""
    encoding: str = "head"
    mark_cutoff: int = 10
    jobs: int = 1
    """Parts learned and batches parsed at once; what is learned does not depend on it."""
    seed: int = 1
    dev: Source | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: Callable[[int, float], None] = lambda number, share: None
    best: BoostedParser | None = None
    history: list[RoundScores] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse what cannot be kept."""
        self.keep = self.keep or kept_by(self.scheme, self.dev is not None)
        if self.held_out < 0 or self.held_out == 1:
            raise HeadwayError(f"{self.held_out} folds leave nothing to learn from; give two or more, or 0 for none")
        if self.keep not in KEEP:
            raise HeadwayError(f"{self.keep!r} cannot be kept of the rounds; {known(KEEP)}")
        if self.keep == "best" and self.dev is None:
            raise HeadwayError("the best round is found on a development treebank; name one with --dev")

    @property
    def planned(self) -> int:
        """How many rounds there will be at the most."""
        return self.rounds

    def run(self, source: Source) -> Iterator[RoundScores]:
        """Train; yields after each round, when `best` is what is to be kept so far."""
        work = Work(self, list(batches_of(source)))
        dev = None if self.dev is None else list(batches_of(self.dev))
        done, labeller = self._resumed(work)
        labeller = labeller or work.label()
        if done:
            self.best = self._parser(work, labeller, done)
        if len(done) < self.rounds and (not done or done[-1].share > 0):
            yield from self._rounds(work, labeller, done, dev)
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)

    def _rounds(
        self, work: Work, labeller: Labeller, done: list[Round[LocalModel]], dev: Sequence[Batch] | None
    ) -> Iterator[RoundScores]:
        work.progress = lambda share: self.progress(len(done) + 1, share)
        started = time.perf_counter()
        for found in boost(work, work, self.scheme, last=done[-1] if done else None, folds=work.folds(self.held_out)):
            done.append(found)
            kept = self._kept(work, done) if self.keep == "ensemble" else found.model
            self.history.append(
                RoundScores(
                    number=found.number,
                    wrong=int((found.predicted != work.target).sum()),
                    share=found.share,
                    train=work.scores(work.heads(kept, work.batches), labeller, work.batches),
                    dev=None if dev is None else work.scores(work.heads(kept, dev), labeller, dev),
                    seconds=time.perf_counter() - started,
                )
            )
            self.best = self._parser(work, labeller, done)
            if self.checkpoint is not None and found.number < self.rounds:
                self._save(work, labeller, done)
            yield self.history[-1]
            started = time.perf_counter()
            if found.number >= self.rounds:
                return

    def _kept(self, work: Work, done: Sequence[Round[LocalModel]]) -> LocalModel:
        """What is to be kept of these rounds."""
        if self.keep == "ensemble":
            useful = [found for found in done if found.share > 0] or list(done[:1])
            return work.mixed([found.model for found in useful], [max(found.share, 1e-9) for found in useful])
        return done[self._best_round() - 1 if self.keep == "best" else -1].model

    def _best_round(self) -> int:
        return max(self.history, key=lambda entry: (entry.dev or entry.train).da).number

    def _parser(self, work: Work, labeller: Labeller, done: Sequence[Round[LocalModel]]) -> BoostedParser:
        number = self._best_round() if self.keep == "best" else len(done)
        scores = self.history[number - 1]
        model = self._kept(work, done)
        about: dict[str, Any] = {
            "learner": described(self.learner),
            "label_learner": described(self.labels),
            "scheme": described(self.scheme),
            "kept": self.keep,
            "passes": number,
            "seed": self.seed,
            "sentences": len(work.trees.offsets) - 1,
            "words": len(work.trees.heads),
            "pairs": len(work.pairs),
            "weights": sum(len(one.weights) for one in (model, labeller.model) if isinstance(one, LinearModel)),
            "treebank_digest": work.digest,
            **({} if scores.dev is None else {"dev_las": scores.dev.las, "dev_uas": scores.dev.da}),
        }
        return BoostedParser(work.linker(model), labeller, self.encoding, about)

    def _identity(self, work: Work) -> dict[str, Any]:
        """What must be the same for a training to be the same."""
        return {
            "treebank": work.digest,
            "form": asdict(work.form),
            "features": [str(feature) for feature in work.templates.features],
            "label_features": [str(feature) for feature in work.label_templates.features],
            "learners": [described(self.learner), described(self.labels), described(self.scheme)],
            "options": [self.held_out, self.cutoff, self.encoding, self.mark_cutoff, self.seed, self.keep],
        }

    def _save(self, work: Work, labeller: Labeller, done: Sequence[Round[LocalModel]]) -> None:
        """Write all that is needed to go on after the last round."""
        assert self.checkpoint is not None
        header = {
            "kind": CHECKPOINT,
            "identity": self._identity(work),
            "history": [asdict(entry) for entry in self.history],
        }
        arrays = {f"label_{name}": array for name, array in labeller.model.arrays.items()}
        for found in done:
            assert isinstance(found.model, LinearModel)
            arrays |= {f"round{found.number}_{name}": array for name, array in found.model.arrays.items()}
        files.save(self.checkpoint, header, {**arrays, "state": done[-1].state})

    def _resumed(self, work: Work) -> tuple[list[Round[LocalModel]], Labeller | None]:
        """The rounds of an interrupted training, and its labeller."""
        if self.checkpoint is None or not Path(self.checkpoint).exists():
            return [], None
        header, arrays = files.load(self.checkpoint)
        if header.get("kind") != CHECKPOINT or header.get("identity") != self._identity(work):
            raise HeadwayError(
                f"{os.fspath(self.checkpoint)}: this checkpoint is of another training (other treebank or options); "
                "remove it, or name another model"
            )
        self.history = [_restored(entry) for entry in header["history"]][: self.rounds]
        state, none = np.array(arrays["state"]), np.empty(0, np.int32)
        rounds: list[Round[LocalModel]] = [
            Round(entry.number, _model(arrays, f"round{entry.number}_"), entry.share, none, state)
            for entry in self.history
        ]
        return rounds, Labeller(work.label_templates, work.trees.names, _model(arrays, "label_"))


def kept_by(scheme: Scheme, has_dev: bool) -> str:
    """What is best kept: each round of `additive` stands for itself, those of the other schemes go together."""
    if not isinstance(scheme, Additive):
        return "ensemble"
    return "best" if has_dev else "last"


def _restored(entry: Mapping[str, Any]) -> RoundScores:
    scores = {name: None if entry[name] is None else Scores(*entry[name]) for name in ("train", "dev")}
    return RoundScores(**{**entry, **scores})


def _model(arrays: Mapping[str, files.Array], start: str) -> LinearModel:
    return LinearModel(
        **{name.removeprefix(start): np.array(array) for name, array in arrays.items() if name.startswith(start)}
    )


def described(thing: Any) -> dict[str, Any]:
    """A learner or scheme with its options, as a model file keeps it."""
    if isinstance(thing, (EstimatorLocal, OpaqueLocal)):
        return {"name": type(thing.estimator).__name__, **{k: repr(v) for k, v in thing.estimator.get_params().items()}}
    if isinstance(thing, OnlineLocal):
        return {"name": name_of(thing.learner), **asdict(thing.learner)}
    return {"name": type(thing).__name__, **(asdict(thing) if is_dataclass(thing) else {})}  # type: ignore[arg-type]
