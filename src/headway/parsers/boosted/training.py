"""Training a boosted parser in rounds; `rounds.py` says what a round is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, cast

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.options import Options
from headway.base.schema import FLAG, Arrays, Each, Header, Layout, Numbers, Relation, Single, is_number
from headway.base.stage_options import plain
from headway.data.batch import Batch, Ints
from headway.data.trees import shapes
from headway.learners.registry import Learner, described
from headway.parsers.boosted.dynamic import CLASSES
from headway.parsers.boosted.estimators import EstimatorModel, Mixture, OpaqueLocal
from headway.parsers.boosted.labels import Labeller, learn_labels
from headway.parsers.boosted.linear import Floats, LinearModel, mixed, numbers, relations, unpacked
from headway.parsers.boosted.linker import Committee, Linker, LocalModel
from headway.parsers.boosted.local import EstimatorLocal, OnlineLocal, learn, local_learner, understood
from headway.parsers.boosted.options import LABELS, PAIRS, BoostedOptions
from headway.parsers.boosted.parser import UNWRITTEN, BoostedParser
from headway.parsers.boosted.rounds import Round, boost, is_last
from headway.parsers.boosted.schemes import scheme
from headway.parsers.boosted.training_data import PairData
from headway.stages.contract import Packed
from headway.stages.gold import encode_all
from headway.training.contract import Progress, unheard
from headway.training.judging import judged

LEAST_SHARE = 1e-9
"""The share of a model that stands alone although its scheme has no use for it."""


class BoostedTraining:
    """Rounds of boosting: the local model and the structured predictor that `rounds.boost` asks for."""

    unit: ClassVar[str] = "round"
    classes = PairData.classes

    def __init__(self, options: BoostedOptions, batches: Sequence[Batch]) -> None:
        self.options = options
        how = {"passes": options.passes, "seed": options.seed}
        self.learner = local_learner(options.learner, options.options, PAIRS, **how)  # type: ignore[arg-type]
        labels = local_learner(options.label_learner, {}, LABELS, **how)  # type: ignore[arg-type]
        if isinstance(labels, OpaqueLocal):
            raise HeadwayError("labels need a learner with weights of features; take a linear one")
        self.label_learner = labels
        if isinstance(self.learner, OpaqueLocal) and options.dynamic:
            raise HeadwayError("dynamic features need a local model with weights of features; take static ones")
        self.scheme = scheme(options.boosting, options.constant)
        self.data = PairData(options, batches)
        self.target, self.digest = self.data.target, self.data.digest
        self.done: list[Round[LocalModel]] = []
        self.seen: Ints | None = None
        """The heads in which training sees what words have; None for the gold ones."""
        self.labeller: Labeller | None = None
        self._rounds: Iterator[Round[LocalModel]] | None = None
        self._progress: Progress = unheard
        self._ended = False

    @property
    def planned(self) -> int:
        """Rounds at the most."""
        return self.options.rounds

    @property
    def keeps_best(self) -> bool:
        """Whether dev chooses the round."""
        return self.options.kept == "best"

    @property
    def unwritable(self) -> str:
        """Classifiers without weights stay in memory."""
        return UNWRITTEN if isinstance(self.learner, OpaqueLocal) else ""

    def step(self, number: int, progress: Progress) -> Mapping[str, float] | None:
        """One round; None where the rounds before have left nothing to be learned."""
        self._progress = progress
        if self.labeller is None:
            self.labeller = self._label()
        if self._ended:
            return None
        if self._rounds is None:
            last = self.done[-1] if self.done else None
            folds = self.data.folds(self.options.held_out or 0, self.options.seed)
            self._rounds = boost(self, self, self.scheme, last=last, folds=folds)
        found = next(self._rounds, None)
        if found is None:
            return None
        self.done.append(found)
        self._ended = is_last(found, self.target)
        self.seen = self.data.heads_in(found.predicted) if self.options.states == "predicted" else None
        found_on_train = judged(self.candidates()[0], self.data.batches, self.options.threads)
        wrong = int((found.predicted != self.target).sum())
        counted, scores = found_on_train.definition, found_on_train.scores
        return {"pairs wrong": wrong, **{f"train {name} ({counted})": score for name, score in scores.items()}}

    def candidates(self) -> Sequence[BoostedParser]:
        """What is to be kept of the rounds so far: the last one, or the ensemble of all."""
        assert self.labeller is not None
        linker, labeller = self.linker(self._kept()), self.labeller
        about: dict[str, Any] = {
            "learner": local_described(self.learner),
            "label_learner": local_described(self.label_learner),
            "scheme": plain(self.scheme),
            "passes": len(self.done),
            "pairs": len(self.data.pairs),
            "weights": len(labeller.model.weights)
            + sum(len(one.model.weights) for one in linker.members if isinstance(one.model, LinearModel)),
        }
        return [BoostedParser(linker, labeller, self.options.encoding, about)]

    def _kept(self) -> LocalModel:
        if self.options.kept not in ("ensemble", "vote"):
            return self.done[-1].model
        useful = [found for found in self.done if found.share > 0] or self.done[:1]
        models, shares = [found.model for found in useful], [max(found.share, LEAST_SHARE) for found in useful]
        if self.options.kept == "ensemble":
            return self.mixed(models, shares)
        return Committee(tuple(cast(LinearModel | EstimatorModel, model) for model in models), tuple(shares))

    def _label(self) -> Labeller:
        """The labeller, which is learned once."""
        data = self.data
        encoded = encode_all(data.label_templates, data.batches)  # type: ignore[arg-type]
        return learn_labels(data.label_templates, encoded, data.trees, self.label_learner)

    def train(self, importance: Floats, begin: LocalModel | None) -> LocalModel:
        """Learn the local model of a round."""
        pairs = self.data.pairs if self.seen is None else self.data.pairs.seen_as(self.seen)
        if isinstance(self.learner, OpaqueLocal):
            return self.learner.learn(pairs, understood(self.learner, importance))
        first = begin if isinstance(begin, LinearModel) else None
        return learn(
            pairs, importance, self.learner, begin=first, threads=self.options.threads, progress=self._progress
        )

    def mixed(self, models: Sequence[LocalModel], shares: Sequence[float]) -> LocalModel:
        """One model with the mean of the scores."""
        linear = [model for model in models if isinstance(model, LinearModel)]
        if len(linear) == len(models):
            return mixed(linear, shares)
        return Mixture([model for model in models if isinstance(model, EstimatorModel)], shares)

    def linker(self, model: LocalModel) -> Linker:
        """What finds trees with a model."""
        return Linker(self.data.shape, self.data.templates, self.data.prepositions, model)

    def predict(self, model: LocalModel) -> Ints:
        """The class of each pair in the trees that the parser finds for the treebank."""
        linker, encode = self.linker(model), self.data.templates.encode
        with ThreadPoolExecutor(self.options.threads) as pool:
            heads = list(pool.map(lambda b: linker.heads(encode(b), b.sentence_word), self.data.batches))
        return self.data.classes_of(np.concatenate(heads))

    @property
    def state(self) -> Layout:
        """The linear models of all rounds and of the labeller, and what the scheme knows of the examples."""
        shape = self.scheme.begin(self.target, self.classes).shape
        words = self.data.trees.heads.shape

        def arrays(header: Header) -> dict[str, Numbers]:
            found = {"state": Numbers("<f8", shape, finite=True)} | numbers("label", len(self.data.trees.names))
            if self.options.states == "predicted":
                found["seen"] = Numbers("<i4", words, low=0)
            for number in range(len(header["shares"])):
                found |= numbers(f"round{number + 1}", CLASSES)
            return found

        return Layout({"shares": Each(Single("a number", is_number), fewest=1), "ended": FLAG}, arrays, self._fitting)

    def _fitting(self, header: Header, arrays: Arrays) -> Iterator[Relation]:
        """What must hold between the arrays of a packed state."""
        for prefix in ("label", *(f"round{number + 1}" for number in range(len(header["shares"])))):
            yield from relations(arrays, prefix)
        importance = self.scheme.importance(arrays["state"])
        yield bool((importance >= 0).all()) and importance.sum() > 0, "no example is important"
        if self.options.states == "predicted":
            heads, offsets = np.array(arrays["seen"]), self.data.trees.offsets
            words = np.diff(offsets)
            within = bool((heads <= np.repeat(words, words)).all())
            yield within and bool(shapes(heads, offsets).trees.all()), "seen does not hold trees"

    def pack(self) -> Packed:
        """All rounds, the labeller, and the state of the scheme."""
        assert self.labeller is not None
        arrays = self.labeller.model.packed("label")
        for found in self.done:
            if not isinstance(found.model, LinearModel):
                raise HeadwayError(UNWRITTEN)
            arrays |= found.model.packed(f"round{found.number}")
        header = {"shares": [found.share for found in self.done], "ended": self._ended}
        seen = {} if self.seen is None else {"seen": self.seen}
        return Packed(header, {**arrays, **seen, "state": self.done[-1].state})

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        none, self._ended = np.empty(0, np.int32), packed.header["ended"]
        self.done = [
            Round(number, unpacked(packed.arrays, f"round{number}"), share, none, packed.arrays["state"])
            for number, share in enumerate(packed.header["shares"], 1)
        ]
        self.seen = packed.arrays["seen"] if self.options.states == "predicted" else None
        self.labeller = Labeller(self.data.label_templates, self.data.trees.names, unpacked(packed.arrays, "label"))


def local_described(learner: Any) -> Any:
    """A local learner with its options, as a model file keeps it."""
    inner = (isinstance(learner, (OnlineLocal, EstimatorLocal)) and learner.learner) or learner
    if isinstance(inner, (EstimatorLocal, OpaqueLocal)):
        return plain(inner.estimator)
    return described(cast(Learner, inner)) if isinstance(inner, Options) else repr(inner)
