"""What a graph training knows of its treebank: how trees are found, the trees, and features that say something."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.data.trees import shapes
from headway.features.arcs import LABEL, ArcTemplates, compile_arcs, needs_tree
from headway.features.language import Feature
from headway.features.reduce import fitted
from headway.features.registry import feature_model
from headway.parsers.graph.options import AUTO, GraphOptions
from headway.parsers.graph.parser import GraphShape
from headway.parsers.graph.registry import DECODERS
from headway.stages.gold import Trees, trees_of

logger = logging.getLogger("headway")
MANY = 0.15
"""From this share of sentences that are not projective on, the automatic choice is the decoder for all trees."""


@dataclass(frozen=True, eq=False)
class TreeData:
    """The trees of a treebank, and what they are scored by."""

    shape: GraphShape
    encoding: str | None
    trees: Trees
    templates: ArcTemplates
    batches: Sequence[Batch]

    @classmethod
    def of(cls, options: GraphOptions, batches: Sequence[Batch]) -> TreeData:
        """What options ask for, and what the treebank decides where they leave it open."""
        shape = shape_for(options, batches)
        encoding = options.encoding if DECODERS[shape.decoder].projective else None
        trees = trees_of(batches, encoding, options.mark_cutoff)
        return cls(shape, encoding, trees, compile_arcs(features_for(options, shape, batches)), batches)


def shape_for(options: GraphOptions, batches: Sequence[Batch]) -> GraphShape:
    """The shape that is asked for, and where it is to be found, what fits the treebank."""
    decoder, single, order = options.decoder, options.single_root, options.order
    if decoder == AUTO or single is None:
        seen = [shapes(batch.read_heads, batch.sentence_word) for batch in batches]
        trees = sum(int(found.trees.sum()) for found in seen)
        crossing = sum(int((found.trees & ~found.projective).sum()) for found in seen)
        if decoder == AUTO:
            decoder = "chu-liu-edmonds" if crossing > MANY * trees else "eisner"
            share = 100 * crossing / max(1, trees)
            logger.info("decoder: %s, since %.1f %% of the sentences are not projective", decoder, share)
        if single is None:
            single = all(bool((found.roots == 1).all()) for found in seen)
    if order is None:
        possible = not options.beyond_the_best and decoder in DECODERS.own
        order = 2 if possible and siblings_in(features_from(options.features)) else 1
    if options.beyond_the_best and decoder not in DECODERS.own:
        raise HeadwayError(f"{options.beyond_the_best}: decoder {decoder} finds one tree at a time; leave it out")
    return GraphShape(
        decoder=decoder,
        order=order,
        single_root=single,
        labels=options.labels,
        bits=options.bits,
        label_bits=options.label_bits,
    )


def features_from(wanted: str | Sequence[Feature]) -> Sequence[Feature]:
    """Features by their name, or as they are."""
    if not isinstance(wanted, str):
        return wanted
    return feature_model("graph-default" if wanted == "default" else wanted)


def siblings_in(features: Sequence[Feature]) -> list[Feature]:
    """The features that look at a sibling."""
    return [feature for feature in features if "SIBLING" in feature.places]


def features_for(options: GraphOptions, shape: GraphShape, batches: Sequence[Batch]) -> list[Feature]:
    """The features that can be used with a shape and tell something on this treebank."""
    name = options.features if isinstance(options.features, str) else "the feature model"
    features = fitted(features_from(options.features), batches)
    siblings = siblings_in(features)
    if shape.order == 2 and not siblings:
        raise HeadwayError(f"{name} has no features of siblings, which order 2 needs; take mst-siblings, or order 1")
    if shape.order == 1:
        features = [feature for feature in features if feature not in siblings]
    if shape.labels == "joint":
        features = [feature for feature in features if not (feature.has(LABEL) and needs_tree(feature))]
    return features
