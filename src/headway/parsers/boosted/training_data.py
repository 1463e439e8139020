"""What a training of a boosted parser knows of its treebank: words, pairs, trees, prepositions, the linker's shape."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headway.base.folds import fold_of
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.data.trees import shapes
from headway.features.arcs import compile_labels
from headway.features.language import Feature
from headway.features.pairs import compile_pairs
from headway.features.reduce import fitted
from headway.features.registry import feature_model
from headway.kernels.features import pairs as kernel
from headway.kernels.text import encode as encoding
from headway.parsers.boosted.decoder import LEFT, RIGHT
from headway.parsers.boosted.dynamic import CLASSES
from headway.parsers.boosted.examples import PairExamples, nodes_of
from headway.parsers.boosted.linear import Keys
from headway.parsers.boosted.linker import TAGS, LinkerShape
from headway.parsers.boosted.options import BoostedOptions
from headway.stages.gold import encode_all, trees_of
from headway.stages.windows import assure_learnable

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
        self.templates = compile_pairs(features_for(options.features, "local-default", batches), self.shape.tag)
        self.label_templates = compile_labels(features_for(options.label_features, "graph-default", batches))
        encoded = encode_all(self.templates, batches)  # type: ignore[arg-type]
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
        word, place = np.empty(len(nodes.tags), np.int32), np.zeros(len(nodes.tags), np.int32)
        word[nodes.words] = np.arange(len(nodes.words))
        place[nodes.words] = np.arange(len(nodes.words)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
        heads = np.zeros(len(nodes.words), np.int32)
        for number, child, head in ((LEFT, pairs.first, pairs.second), (RIGHT, pairs.second, pairs.first)):
            linked = classes == number
            heads[word[child[linked]]] = place[head[linked]]
        return heads


def shape_for(options: BoostedOptions, batches: Sequence[Batch]) -> LinkerShape:
    """The shape that is asked for, with what the treebank decides: the root, and which tags to take."""
    shape = LinkerShape(decoder=options.decoder, dynamic=options.dynamic, partitioned=options.partitioned)
    single_root = options.single_root
    if single_root is None:
        single_root = all(bool((shapes(b.read_heads, b.sentence_word).roots == 1).all()) for b in batches)
    sizes = {tag: len(set().union(*(batch.column(tag) for batch in batches))) for tag in TAGS}
    useful = [tag for tag in TAGS if 1 < sizes[tag] <= MOST_TAGS]
    return replace(shape, single_root=single_root, tag=useful[0] if useful else min(TAGS, key=sizes.__getitem__))


def features_for(wanted: str | Sequence[Feature], default: str, batches: Sequence[Batch]) -> list[Feature]:
    """The features that tell something on this treebank."""
    if isinstance(wanted, str):
        wanted = feature_model(default if wanted == "default" else wanted)
    return fitted(wanted, batches, logging.INFO)


def prepositions_of(tags: Keys, heads: Ints, offsets: Ints) -> Keys:
    """The tags of prepositions that have children in this treebank."""
    first = np.repeat(offsets[:-1], np.diff(offsets))
    governs: NDArray[np.bool_] = np.zeros(len(heads), bool)
    governs[(first + heads - 1)[heads > 0]] = True
    wanted = np.array([encoding.key_of(name.encode()) for name in PREPOSITIONS], np.uint64)
    return np.array(
        [key for key in np.sort(wanted) if (mine := tags == key).any() and governs[mine].mean() >= GOVERNING], np.uint64
    )
