"""Training a graph parser: what it knows of its treebank, and passes over whole trees."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.schema import Layout, Numbers
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.data.trees import shapes
from headway.features.arcs import LABEL, ArcTemplates, compile_arcs, needs_tree
from headway.features.language import Feature
from headway.features.reduce import fitted
from headway.features.registry import features_from
from headway.kernels.graph import learning
from headway.learners.online import Online
from headway.learners.registry import described
from headway.parsers.graph.options import AUTO, GraphOptions
from headway.parsers.graph.parser import STATE_LAYOUT, GraphParser, GraphShape, graph_of
from headway.parsers.graph.registry import DECODERS
from headway.stages.contract import Packed
from headway.stages.gold import Trees, encode_all, single_rooted, trees_of
from headway.stages.windows import assure_learnable
from headway.training.contract import Progress
from headway.training.passes import PassTraining

logger = logging.getLogger("headway")
DEFAULT = "graph-default"
MANY = 0.15
"""From this share of sentences that are not projective on, the automatic choice is the decoder for all trees."""
AT_ONCE = 1 << 9
"""Sentences learned in one call of the kernel; in between the user may interrupt."""
LARGEST = 32767
Floats = NDArray[np.float32]


def begin(options: GraphOptions, batches: Sequence[Batch]) -> GraphTraining:
    """A training of what options ask for, and what the treebank decides where they leave it open."""
    shape = shape_for(options, batches)
    encoding = options.encoding if DECODERS[shape.decoder].projective else None
    trees = trees_of(batches, encoding, options.mark_cutoff)
    templates = compile_arcs(features_for(options, shape, batches))
    return GraphTraining(options, cast(Online, options.chosen), batches, shape, encoding, trees, templates)


def shape_for(options: GraphOptions, batches: Sequence[Batch]) -> GraphShape:
    """The shape that is asked for, and where it is to be found, what fits the treebank."""
    decoder, order = options.decoder, options.order
    if decoder == AUTO:
        seen = [shapes(batch.read_heads, batch.sentence_word) for batch in batches]
        trees = sum(int(found.trees.sum()) for found in seen)
        crossing = sum(int((found.trees & ~found.projective).sum()) for found in seen)
        decoder = "chu-liu-edmonds" if crossing > MANY * trees else "eisner"
        share = 100 * crossing / max(1, trees)
        logger.info("decoder: %s, since %.1f %% of the sentences are not projective", decoder, share)
    if order is None:
        possible = not options.beyond_the_best and decoder in DECODERS.own
        order = 2 if possible and siblings_in(features_from(options.features, DEFAULT)) else 1
    if options.beyond_the_best and decoder not in DECODERS.own:
        raise HeadwayError(f"{options.beyond_the_best}: decoder {decoder} finds one tree at a time; leave it out")
    return GraphShape(
        decoder=decoder,
        order=order,
        single_root=single_rooted(batches) if options.single_root is None else options.single_root,
        labels=options.labels,
        bits=options.bits,
        label_bits=options.label_bits,
    )


def siblings_in(features: Sequence[Feature]) -> list[Feature]:
    """The features that look at a sibling."""
    return [feature for feature in features if "SIBLING" in feature.places]


def features_for(options: GraphOptions, shape: GraphShape, batches: Sequence[Batch]) -> list[Feature]:
    """The features that can be used with a shape and tell something on this treebank."""
    name = options.features if isinstance(options.features, str) else "the feature model"
    features = fitted(features_from(options.features, DEFAULT), batches)
    siblings = siblings_in(features)
    if shape.order == 2 and not siblings:
        raise HeadwayError(f"{name} has no features of siblings, which order 2 needs; take mst-siblings, or order 1")
    if shape.order == 1:
        features = [feature for feature in features if feature not in siblings]
    if shape.labels == "joint":
        features = [feature for feature in features if not (feature.has(LABEL) and needs_tree(feature))]
    return features


class GraphTraining(PassTraining):
    """A training with an online learner, and all that it keeps in memory."""

    def __init__(
        self,
        options: GraphOptions,
        learner: Online,
        batches: Sequence[Batch],
        shape: GraphShape,
        encoding: str | None,
        trees: Trees,
        templates: ArcTemplates,
    ) -> None:
        self.options, self.learner = options, learner
        self.shape, self.encoding, self.trees, self.templates = shape, encoding, trees, templates
        assure_learnable(trees.longest)
        self.digest = digest_of(batches)
        encoded = encode_all(templates, batches)
        self.graph = graph_of(self.shape, self.templates, self.trees.names, encoded, self.trees.longest)
        size = self.shape.size
        self.weights: Floats = np.zeros(size, np.float32)
        self.sums: Floats = np.zeros(size if learner.average else 0, np.float32)
        self.variances: Floats = np.full(size if learner.variance else 0, learner.initial_variance, np.float32)

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank once."""
        options, trees = self.options, self.trees
        if self.learner.begins_average(number):
            self.sums[:] = 0
            self.steps = 0
        size = len(trees.offsets) - 1
        order = self.order_of(size, self.random_of(number))
        tally, rule = np.zeros(3, np.int64), self.learner.step_rule()
        for first in range(0, size, AT_ONCE):
            some = order[first : first + AT_ONCE]
            tally += learning.learn(
                *(self.graph, self.weights, self.sums, self.variances, some),
                *(trees.offsets, trees.heads, trees.labels),
                rule=rule,
                initial=self.learner.initial_variance,
                square_root=options.loss == "sqrt",
                labelled=options.counts_labels,
                augmented=options.cost_augmented,
                k=options.k,
                wrong=options.rivals == "wrong",
                together=self.learner.together,
                beyond=self.learner.own_margin and options.cost_augmented,
                time=float(self.steps),
            )
            self.steps += len(some)
            progress(min(1.0, (first + AT_ONCE) / size))
        self.passes = number
        words, mistakes, updates = tally.tolist()
        return {"mistakes %": 100 * mistakes / max(1, words), "updates": updates}

    def candidates(self) -> Sequence[GraphParser]:
        """The parser as it is now; where the decoder is free, with the other one too."""
        parser = self.parser()
        if self.options.decoder != AUTO:
            return [parser]
        others = [name for name in DECODERS.own if name != parser.shape.decoder]
        return [parser, *(replace(parser, shape=replace(parser.shape, decoder=name)) for name in others)]

    def parser(self) -> GraphParser:
        """The parser as it is now: weights as whole numbers, which is all that finding the best tree needs."""
        final = self.weights - self.sums / np.float32(self.steps + 1) if self.learner.average else self.weights
        largest = float(max(final.max(), -final.min()))
        scale = largest / LARGEST if largest > 0 else 1.0
        weights = np.rint(final / np.float32(scale)).astype(np.int16)
        return GraphParser(
            shape=self.shape,
            templates=self.templates,
            labels=self.trees.names,
            encoding=self.encoding,
            weights=weights,
            scale=scale,
            about={
                "learner": described(self.learner),
                "passes": self.passes,
                "weights": int(np.count_nonzero(weights)),
            },
            single_labels=self.trees.single if self.options.single_labels == AUTO else (),
            state=self.learning_state() if self.options.updatable else None,
        )

    def learning_state(self) -> Packed:
        """What further training needs: the numbers of all weights that are not as they began."""
        moved = self.weights != 0
        for some, begin in ((self.sums, 0), (self.variances, np.float32(self.learner.initial_variance))):
            if len(some):
                moved |= some != begin
        places = np.flatnonzero(moved).astype(np.uint32)
        found = [one[places] if len(one) else one for one in (self.weights, self.sums, self.variances)]
        header = {"steps": self.steps, "passes": self.passes}
        header |= {name: getattr(self.options, name) for name in STATE_LAYOUT.options}
        return Packed(header, dict(zip(STATE_LAYOUT.arrays, [places, *found], strict=True)))

    @property
    def state(self) -> Layout:
        """Numbers for all weights; sums and variances only where the learner keeps them."""
        arrays = {
            "learned": Numbers("<f4", self.weights.shape, finite=True),
            "sums": Numbers("<f4", self.sums.shape, finite=True),
            "variances": Numbers("<f4", self.variances.shape, low=0, finite=True),
        }
        return Layout(self.counts, lambda header: arrays)

    def pack(self) -> Packed:
        """What has been learned so far."""
        state = {"learned": self.weights, "sums": self.sums, "variances": self.variances}
        return Packed({"steps": self.steps, "passes": self.passes}, state)

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        self.weights, self.sums, self.variances = (packed.arrays[name] for name in ("learned", "sums", "variances"))
        self.steps, self.passes = packed.header["steps"], packed.header["passes"]
