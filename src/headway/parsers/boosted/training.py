"""Training a boosted parser: what it knows of its treebank, and rounds; `schemes` says what a round is."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.folds import fold_of
from headway.base.schema import FLAG, Arrays, Each, Header, Layout, Numbers, Relation, Single, is_number
from headway.base.stage_options import plain
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.data.trees import shapes
from headway.features.arcs import compile_labels
from headway.features.pairs import compile_pairs
from headway.features.reduce import fitted
from headway.features.registry import features_from
from headway.kernels.features import pairs as kernel
from headway.kernels.text import encode as encoding
from headway.parsers.boosted.decoder import LEFT, RIGHT
from headway.parsers.boosted.estimators import EstimatorModel, Mixture, OpaqueLocal
from headway.parsers.boosted.labels import Labeller, learn_labels
from headway.parsers.boosted.linear import Floats, Keys, LinearModel, mixed, numbers, relations, unpacked
from headway.parsers.boosted.linker import TAGS, Committee, Linker, LinkerShape, LocalModel
from headway.parsers.boosted.local import learn, local_described, local_learner, understood
from headway.parsers.boosted.options import LABELS, PAIRS, BoostedOptions
from headway.parsers.boosted.pair_features import CLASSES, PairExamples, nodes_of
from headway.parsers.boosted.parser import UNWRITTEN, BoostedParser
from headway.parsers.boosted.schemes import Round, boost, is_last, scheme
from headway.stages.contract import Packed
from headway.stages.gold import encode_all, single_rooted, trees_of
from headway.stages.windows import assure_learnable
from headway.training.contract import Progress, unheard
from headway.training.dev_scores import judged
from headway.training.options import AUTO

LEAST_SHARE = 1e-9
"""The share of a model that stands alone although its scheme has no use for it."""
MOST_TAGS = 64
"""Columns with more different tags are no use: too few pairs would fall into each part, and tables of states grow."""
PREPOSITIONS = ("ADP", "IN", "TO", "P", "PREP", "prep", "APPR")
"""Tags of prepositions in the treebanks that we know."""
GOVERNING = 0.2
"""A preposition's child counts where at least this share of the words with its tag have one; in UD they have none."""


class PairData:
    """The word pairs of a treebank as examples, and what trees are made of."""

    classes = CLASSES

    def __init__(self, options: BoostedOptions, batches: Sequence[Batch]) -> None:
        self.batches = batches
        self.trees = trees_of(batches, options.encoding, options.mark_cutoff)
        assure_learnable(self.trees.longest)
        self.digest = digest_of(batches)
        self.shape = shape_for(options, batches)
        links, labels = (
            fitted(features_from(*wanted), batches, logging.INFO)
            for wanted in ((options.features, "local-default"), (options.label_features, "graph-default"))
        )
        self.templates, self.label_templates = compile_pairs(links, self.shape.tag), compile_labels(labels)
        encoded = encode_all(self.templates, batches)
        nodes = nodes_of(self.templates, encoded, self.trees.offsets, self.shape.partitioned)
        self.prepositions = prepositions_of(nodes.tags[nodes.words], self.trees.heads, self.trees.offsets)
        self.pairs = PairExamples(
            nodes, self.trees.heads, self.prepositions if self.shape.dynamic else None, cutoff=options.cutoff
        )
        self.target = self.pairs.target

    def folds(self, count: int, seed: int) -> list[NDArray[np.bool_]]:
        """The pairs of so many folds: sentences are dealt out to them in an order that depends on the seed."""
        lengths = np.diff(self.trees.offsets).astype(np.int64)
        fold = np.repeat(fold_of(len(lengths), max(1, count), seed), lengths * (lengths + 1) // 2)
        return [fold == number for number in range(count)]

    def classes_of(self, heads: Ints) -> Ints:
        """The class of each pair in the trees with these heads."""
        found, first, second = (np.empty(len(self.pairs), np.int32) for _ in range(3))
        kernel.pairs_of(self.trees.offsets, heads, first, second, found)
        return found

    def heads_in(self, classes: Ints) -> Ints:
        """The heads of the trees in which pairs have these classes: what `classes_of` was given."""
        nodes, pairs, offsets = self.pairs.nodes, self.pairs, self.trees.offsets
        place = np.zeros(len(nodes.tags), np.int32)
        place[nodes.words] = np.arange(len(nodes.words)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
        heads = np.zeros_like(place)
        for number, child, head in ((LEFT, pairs.first, pairs.second), (RIGHT, pairs.second, pairs.first)):
            linked = classes == number
            heads[child[linked]] = place[head[linked]]
        return heads[nodes.words]


def shape_for(options: BoostedOptions, batches: Sequence[Batch]) -> LinkerShape:
    """The shape that is asked for, with what the treebank decides: the root, and which tags to take."""
    sizes = {tag: len(set().union(*(batch.column(tag) for batch in batches))) for tag in TAGS}
    useful = [tag for tag in TAGS if 1 < sizes[tag] <= MOST_TAGS]
    return LinkerShape(
        decoder=options.decoder,
        single_root=single_rooted(batches) if options.single_root is None else options.single_root,
        partitioned=options.partitioned,
        dynamic=options.dynamic,
        tag=useful[0] if useful else min(TAGS, key=sizes.__getitem__),
    )


def prepositions_of(tags: Keys, heads: Ints, offsets: Ints) -> Keys:
    """The tags of prepositions that have children in this treebank."""
    first = np.repeat(offsets[:-1], np.diff(offsets))
    governs: NDArray[np.bool_] = np.zeros(len(heads), bool)
    governs[(first + heads - 1)[heads > 0]] = True
    wanted = np.array([encoding.key_of(name.encode()) for name in PREPOSITIONS], np.uint64)
    return np.array(
        [key for key in np.sort(wanted) if (mine := tags == key).any() and governs[mine].mean() >= GOVERNING], np.uint64
    )


class BoostedTraining:
    """Rounds of boosting: the task that `schemes.boost` asks for."""

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
            encoded = encode_all(self.data.label_templates, self.data.batches)
            self.labeller = learn_labels(self.data.label_templates, encoded, self.data.trees, self.label_learner)
        if self._ended:
            return None
        if self._rounds is None:
            last = self.done[-1] if self.done else None
            folds = self.data.folds(self.options.held_out or 0, self.options.seed)
            self._rounds = boost(self, self.scheme, last=last, folds=folds)
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
        single = self.data.trees.single if self.options.single_labels == AUTO else ()
        return [BoostedParser(linker, labeller, self.options.encoding, about, single_labels=single)]

    def _kept(self) -> LocalModel:
        if self.options.kept not in ("ensemble", "vote"):
            return self.done[-1].model
        useful = [found for found in self.done if found.share > 0] or self.done[:1]
        models, shares = [found.model for found in useful], [max(found.share, LEAST_SHARE) for found in useful]
        if self.options.kept == "ensemble":
            linear = [model for model in models if isinstance(model, LinearModel)]
            return mixed(linear, shares) if linear else Mixture(cast(Sequence[EstimatorModel], models), shares)
        return Committee(tuple(cast(LinearModel | EstimatorModel, model) for model in models), tuple(shares))

    def train(self, importance: Floats, begin: LocalModel | None) -> LocalModel:
        """Learn the local model of a round."""
        pairs = self.data.pairs if self.seen is None else self.data.pairs.seen_as(self.seen)
        if isinstance(self.learner, OpaqueLocal):
            return self.learner.learn(pairs, understood(self.learner, importance))
        first = begin if isinstance(begin, LinearModel) else None
        return learn(
            pairs, importance, self.learner, begin=first, threads=self.options.threads, progress=self._progress
        )

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
