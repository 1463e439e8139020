"""The state of a training: words, trees, weights."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch
from headway.errors import HeadwayError, known
from headway.features.arcs import LABEL, compile_arcs, has, needs_tree, places_of
from headway.features.language import Feature
from headway.features.reduce import reduce_features
from headway.features.registry import feature_model
from headway.graph.parser import GraphParser, Shape, graph_of
from headway.graph.registry import DECODERS
from headway.kernels import graph_training
from headway.learners.online import Online
from headway.learners.registry import name_of
from headway.model import Array
from headway.pseudoprojective import ENCODINGS
from headway.transition.data import digest_of, encode_all, trees_of
from headway.trees import shapes

if TYPE_CHECKING:
    from headway.graph.trainer import GraphTrainer

logger = logging.getLogger("headway")
AT_ONCE = 1 << 9
"""Sentences learned in one call of the kernel; in between the user may interrupt."""
MANY = 0.15
"""From this share of sentences that are not projective on, the automatic choice is the decoder for all trees."""
LARGEST = 32767
Floats = NDArray[np.float32]


class GraphWork:
    """Everything that a training of a graph parser keeps in memory."""

    def __init__(self, options: GraphTrainer, learner: Online, batches: Sequence[Batch]) -> None:
        self.options, self.learner = options, learner
        if options.encoding not in ENCODINGS:
            raise HeadwayError(f"unknown encoding {options.encoding!r}; {known(ENCODINGS)}")
        self.shape = shape_for(options, batches)
        self.encoding = options.encoding if DECODERS[self.shape.decoder].projective else None
        self.trees = trees_of(batches, self.encoding, options.mark_cutoff)
        self.templates = compile_arcs(features_for(options, self.shape, batches))
        self.digest = digest_of(batches)
        encoded = encode_all(self.templates, batches)  # type: ignore[arg-type]
        self.graph = graph_of(self.shape, self.templates, self.trees.names, encoded, self.trees.longest)
        self.weights: Floats = np.zeros(self.shape.size, np.float32)
        self.sums: Floats = np.zeros(self.shape.size if learner.average else 0, np.float32)
        self.variances: Floats = np.full(
            self.shape.size if learner.variance else 0, learner.initial_variance, np.float32
        )
        self.steps = 0

    def one_pass(self, number: int, progress: Callable[[float], None]) -> dict[str, int]:
        """Learn from the whole treebank once; `progress` hears what share is done."""
        options, trees = self.options, self.trees
        random = np.random.Generator(np.random.PCG64([options.seed, number]))
        if self.learner.begins_average(number):
            self.sums[:] = 0
            self.steps = 0
        size = len(trees.offsets) - 1
        order = (random.permutation(size) if options.shuffle else np.arange(size)).astype(np.int32)
        tally, rule = np.zeros(3, np.int64), self.learner.step_rule()
        for first in range(0, size, AT_ONCE):
            some = order[first : first + AT_ONCE]
            tally += graph_training.learn(
                *(self.graph, self.weights, self.sums, self.variances, some),
                *(trees.offsets, trees.heads, trees.labels),
                rule=rule,
                initial=self.learner.initial_variance,
                square_root=options.loss == "sqrt",
                labelled=options.counts_labels,
                augmented=options.cost_augmented,
                k=options.k,
                time=float(self.steps),
            )
            self.steps += len(some)
            progress(min(1.0, (first + AT_ONCE) / size))
        return dict(zip(("examples", "mistakes", "updates"), tally.tolist(), strict=True))

    def state(self) -> dict[str, Array]:
        """What has been learned, as arrays."""
        return {"learned": self.weights, "sums": self.sums, "variances": self.variances}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take back what `state` gave."""
        self.weights, self.sums, self.variances = (np.array(arrays[name]) for name in ("learned", "sums", "variances"))

    def parser(self, passes: int) -> GraphParser:
        """The parser as it is now: weights as whole numbers, which is all that finding the best tree needs."""
        final = self.weights - self.sums / np.float32(self.steps + 1) if self.learner.average else self.weights
        largest = float(max(final.max(), -final.min()))
        scale = largest / LARGEST if largest > 0 else 1.0
        weights = np.rint(final / np.float32(scale)).astype(np.int16)
        about: dict[str, Any] = {
            "learner": name_of(self.learner),
            "learner_options": asdict(self.learner),
            "loss": self.options.loss,
            "counts_labels": self.options.counts_labels,
            "cost_augmented": self.options.cost_augmented,
            "k": self.options.k,
            "passes": passes,
            "seed": self.options.seed,
            "sentences": len(self.trees.offsets) - 1,
            "words": len(self.trees.heads),
            "weights": int(np.count_nonzero(weights)),
            "treebank_digest": self.digest,
        }
        return GraphParser(
            shape=self.shape,
            templates=self.templates,
            labels=self.trees.names,
            encoding=self.encoding,
            weights=weights,
            scale=scale,
            about=about,
        )


def shape_for(options: GraphTrainer, batches: Sequence[Batch]) -> Shape:
    """The shape that is asked for, and where it is to be found, what fits the treebank."""
    decoder, single = options.decoder, options.single_root
    if decoder == "auto" or single is None:
        seen = [shapes(batch.heads, batch.sentence_word) for batch in batches]
        trees = sum(int(found.trees.sum()) for found in seen)
        crossing = sum(int((found.trees & ~found.projective).sum()) for found in seen)
        if decoder == "auto":
            decoder = "chu-liu-edmonds" if crossing > MANY * trees else "eisner"
            share = 100 * crossing / max(1, trees)
            logger.info("decoder: %s, since %.1f %% of the sentences are not projective", decoder, share)
        if single is None:
            single = all(bool((found.roots == 1).all()) for found in seen)
    return replace(options.shape, decoder=decoder, single_root=single)


def features_from(wanted: str | Sequence[Feature]) -> Sequence[Feature]:
    """Features by their name, or as they are."""
    if not isinstance(wanted, str):
        return wanted
    return feature_model("graph-default" if wanted == "default" else wanted)


def siblings_in(features: Sequence[Feature]) -> list[Feature]:
    """The features that look at a sibling."""
    return [feature for feature in features if "SIBLING" in places_of(feature)]


def features_for(options: GraphTrainer, shape: Shape, batches: Sequence[Batch]) -> list[Feature]:
    """The features that can be used with a shape and tell something on this treebank."""
    name = options.features if isinstance(options.features, str) else "the feature model"
    features, notes = reduce_features(features_from(options.features), batches)
    for note in notes:
        logger.warning("features: %s", note)
    siblings = siblings_in(features)
    if shape.order == 2 and not siblings:
        raise HeadwayError(f"{name} has no features of siblings, which order 2 needs; take mst-siblings, or order 1")
    if shape.order == 1:
        features = [feature for feature in features if feature not in siblings]
    if shape.labels == "joint":
        features = [feature for feature in features if not (has(feature, LABEL) and needs_tree(feature))]
    return features
