"""The state of a training: words, pairs, the labeller; what `rounds.boost` asks of word pairs and trees."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints
from headway.batch_parser import Parsed, restored
from headway.boosting.dynamic import CLASSES
from headway.boosting.estimators import EstimatorModel, Mixture, OpaqueLocal
from headway.boosting.examples import Pairs
from headway.boosting.labels import Labeller, learn_labels
from headway.boosting.learning import learn
from headway.boosting.linear import Floats, Keys, LinearModel, mixed
from headway.boosting.nodes import nodes_of
from headway.boosting.parser import TAGS, UNWRITTEN, Form, Linker, LocalModel
from headway.boosting.scores import Scores, scores_of
from headway.errors import HeadwayError, known
from headway.features.arcs import compile_labels
from headway.features.language import Feature
from headway.features.pairs import compile_pairs
from headway.features.reduce import reduce_features
from headway.features.registry import feature_model
from headway.kernels import encode as encoding
from headway.kernels import pairs as kernel
from headway.pseudoprojective import ENCODINGS
from headway.transition.data import digest_of, encode_all, trees_of
from headway.trees import shapes

if TYPE_CHECKING:
    from headway.boosting.trainer import BoostedTrainer

logger = logging.getLogger("headway")
MOST_TAGS = 64
"""Columns with more different tags are no use: too few pairs would fall into each part, and tables of states grow."""
PREPOSITIONS = ("ADP", "IN", "TO", "P", "PREP", "prep", "APPR")
"""Tags of prepositions in the treebanks that we know."""
GOVERNING = 0.2
"""A preposition's child counts where at least this share of the words with its tag have one; in UD they have none."""


class Work:
    """What a training keeps in memory: a local model to be trained, and a structured predictor."""

    classes = CLASSES

    def __init__(self, options: BoostedTrainer, batches: Sequence[Batch]) -> None:
        self.options, self.batches = options, batches
        if isinstance(options.learner, OpaqueLocal):
            if options.checkpoint is not None:
                raise HeadwayError(f"{os.fspath(options.checkpoint)}: {UNWRITTEN}")
            if options.form.dynamic:
                raise HeadwayError("dynamic features need a local model with weights of features; take static ones")
        if options.encoding not in ENCODINGS:
            raise HeadwayError(f"unknown encoding {options.encoding!r}; {known(ENCODINGS)}")
        self.trees = trees_of(batches, options.encoding, options.mark_cutoff)
        self.digest = digest_of(batches)
        self.form = form_for(options.form, options.single_root, batches)
        self.templates = compile_pairs(features_for(options.features, "local-default", batches), self.form.tag)
        self.label_templates = compile_labels(features_for(options.label_features, "graph-default", batches))
        encoded = encode_all(self.templates, batches)  # type: ignore[arg-type]
        nodes = nodes_of(self.templates, encoded, self.trees.offsets, self.form.partitioned)
        self.prepositions = prepositions_of(nodes.tags[nodes.words], self.trees.heads, self.trees.offsets)
        self.pairs = Pairs(
            nodes, self.trees.heads, self.prepositions if self.form.dynamic else None, cutoff=options.cutoff
        )
        self.target = self.pairs.target
        self.progress: Callable[[float], None] = lambda share: None

    def label(self) -> Labeller:
        """The labeller, which is learned once."""
        encoded = encode_all(self.label_templates, self.batches)  # type: ignore[arg-type]
        return learn_labels(self.label_templates, encoded, self.trees, self.options.labels)

    def train(self, importance: Floats, begin: LocalModel | None) -> LocalModel:
        """Learn the local model of a round."""
        options = self.options
        if isinstance(options.learner, OpaqueLocal):
            return options.learner.learn(self.pairs, importance)
        first = begin if isinstance(begin, LinearModel) else None
        return learn(self.pairs, importance, options.learner, begin=first, jobs=options.jobs, progress=self.progress)

    def mixed(self, models: Sequence[LocalModel], shares: Sequence[float]) -> LocalModel:
        """One model with the mean of the scores."""
        linear = [model for model in models if isinstance(model, LinearModel)]
        if len(linear) == len(models):
            return mixed(linear, shares)
        return Mixture([model for model in models if isinstance(model, EstimatorModel)], shares)

    def linker(self, model: LocalModel) -> Linker:
        """What finds trees with a model."""
        return Linker(self.form, self.templates, self.prepositions, model)

    def predict(self, model: LocalModel) -> Ints:
        """The class of each pair in the trees that the parser finds for the treebank."""
        return self.classes_of(np.concatenate(self.heads(model, self.batches)))

    def folds(self, count: int) -> list[NDArray[np.bool_]]:
        """The pairs of so many folds: sentences are dealt out to them one after the other."""
        lengths = np.diff(self.trees.offsets).astype(np.int64)
        fold = np.repeat(np.arange(len(lengths)) % max(1, count), lengths * (lengths + 1) // 2)
        return [fold == number for number in range(count)]

    def classes_of(self, heads: Ints) -> Ints:
        """The class of each pair in the trees with these heads."""
        found, first, second = (np.empty(len(self.pairs), np.int32) for _ in range(3))
        kernel.pairs_of(self.trees.offsets, heads, first, second, found)
        return found

    def heads(self, model: LocalModel, batches: Sequence[Batch]) -> list[Ints]:
        """The heads that the parser finds, batch by batch, in parallel."""
        linker = self.linker(model)
        with ThreadPoolExecutor(self.options.jobs) as pool:
            return list(pool.map(lambda b: linker.heads(self.templates.encode(b), b.sentence_word), batches))

    def scores(self, heads: Sequence[Ints], labeller: Labeller, batches: Sequence[Batch]) -> Scores:
        """How good trees are once they have labels and lifted arcs are put back."""

        def finished(heads: Ints, batch: Batch) -> Parsed:
            offsets = batch.sentence_word
            labels = labeller.label(labeller.templates.encode(batch), offsets, heads)
            parsed = Parsed(heads.copy(), labels, list(labeller.names))
            return restored(parsed, offsets, self.options.encoding)

        with ThreadPoolExecutor(self.options.jobs) as pool:
            return scores_of(zip(batches, pool.map(finished, heads, batches), strict=True))


def form_for(form: Form, single_root: bool | None, batches: Sequence[Batch]) -> Form:
    """The form that is asked for, with what the treebank decides: the root, and which tags to take."""
    if single_root is None:
        single_root = all(bool((shapes(b.heads, b.sentence_word).roots == 1).all()) for b in batches)
    sizes = {tag: len(set().union(*(batch.column(tag) for batch in batches))) for tag in TAGS}
    useful = [tag for tag in TAGS if 1 < sizes[tag] <= MOST_TAGS]
    return replace(form, single_root=single_root, tag=useful[0] if useful else min(TAGS, key=sizes.__getitem__))


def features_for(wanted: str | Sequence[Feature], default: str, batches: Sequence[Batch]) -> list[Feature]:
    """The features that tell something on this treebank."""
    if isinstance(wanted, str):
        wanted = feature_model(default if wanted == "default" else wanted)
    features, notes = reduce_features(wanted, batches)
    for note in notes:
        logger.info("features: %s", note)
    return features


def prepositions_of(tags: Keys, heads: Ints, offsets: Ints) -> Keys:
    """The tags of prepositions that have children in this treebank."""
    first = np.repeat(offsets[:-1], np.diff(offsets))
    governs: NDArray[np.bool_] = np.zeros(len(heads), bool)
    governs[(first + heads - 1)[heads > 0]] = True
    wanted = np.array([encoding.key_of(name.encode()) for name in PREPOSITIONS], np.uint64)
    return np.array(
        [key for key in np.sort(wanted) if (mine := tags == key).any() and governs[mine].mean() >= GOVERNING], np.uint64
    )
