"""A boosted parser that learns from single corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.adaptation import Learned, towards
from headway.batch import Batch, Ints
from headway.boosting.decoder import LEFT, NONE, RIGHT
from headway.boosting.dynamic import CLASSES
from headway.boosting.examples import PairExamples
from headway.boosting.explaining import assure_linear
from headway.boosting.labels import Labeller, label_keys
from headway.boosting.linear import Floats, Keys, LinearModel, Longs, WeightEntries, added
from headway.boosting.voting import Committee
from headway.constraints import Constraints
from headway.features.groups import words_known
from headway.gold import Trees
from headway.tree_stage import Parsed, restored

if TYPE_CHECKING:
    from headway.boosting.linker import Linker, LinkKeys
    from headway.boosting.parser import BoostedParser

MARGIN = 3.0
"""By how much the log odds of a right link, or a right label, are to win after the first step; chosen on dev."""
KNOWN_WORD = 1000.0
"""How much further a weight moves for each of the two words that its feature knows; chosen on dev."""


def adapted(parser: BoostedParser, batch: Batch, wanted: Constraints) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    assure_linear(parser.linker)
    offsets = batch.sentence_word
    links = parser.linker.keys(parser.linker.templates.encode(batch), offsets)
    words, found = parser.labeller.templates.encode(batch), np.empty(int(offsets[-1]), np.int32)

    def parsed(one: BoostedParser) -> Parsed:
        found[:] = one.linker.heads_under(links)
        tree = Parsed(found.copy(), one.labeller.label(words, offsets, found), list(one.names))
        return tree if one.encoding is None else restored(tree, offsets, one.encoding)

    def steps(heads: Ints, names: list[str]) -> Iterator[BoostedParser]:
        known = parser.labeller
        labeller = replace(known, names=(*known.names, *sorted(set(names) - set(known.names))))
        labels, linker = np.array([labeller.names.index(name) for name in names], np.int32), parser.linker
        trees = Trees(offsets, np.ascontiguousarray(heads, np.int32), labels, labeller.names)
        of_links = _LinkFeatures.of(linker, links, trees.heads)
        start, keys = label_keys(labeller.templates, words, trees)
        of_labels = _Features.often(keys)
        for rounds in count(1):
            linker = _linked(linker, of_links, trees.heads, found, MARGIN * rounds)
            labeller = _labelled(labeller, of_labels, start, labels, MARGIN * rounds)
            yield replace(parser, linker=linker, labeller=labeller)

    return towards(
        parser,
        wanted,
        parsed=parsed,
        beside=lambda: parser.constrained(batch, 0, wanted),
        encoding=parser.encoding,
        steps=steps,
    )


class _Features(NamedTuple):
    """Some features, one after the other, and how far the weights of each move beside others."""

    keys: Keys
    """Those that are distinct, in ascending order."""
    row: Longs
    """For each feature, which of them it is."""
    rates: Floats
    """Of those that are distinct."""

    @classmethod
    def of(cls, keys: Keys, rates: Floats) -> _Features:
        """Features with their rates; equal ones have equal rates."""
        distinct, first, row = np.unique(keys, return_index=True, return_inverse=True)
        return cls(distinct, row, rates[first])

    @classmethod
    def often(cls, keys: Keys) -> _Features:
        """Features whose weights move the less, the more often they are there."""
        distinct, row, often = np.unique(keys, return_inverse=True, return_counts=True)
        return cls(distinct, row, 1 / often**2)

    def some(self, which: NDArray[np.bool_]) -> _Features:
        """Those of the features that are chosen, with the rates that they have among all."""
        distinct, row = np.unique(self.row[which], return_inverse=True)
        return _Features(self.keys[distinct], row, self.rates[distinct])


class _Steps:
    """Passive-aggressive steps on some weights of a model, one after the other.

    Each weight has a rate: small ones move more, and features have rates of their own. What frequent features have
    learned is worth more than one sentence. Crammer et al. (2006), with a variance for each weight that stays.
    """

    def __init__(self, model: LinearModel, features: _Features, classes: int) -> None:
        """Know the features whose weights may move."""
        self.model, self.features = model, features
        self.weights = model.rows(features.keys, classes)
        self.before = self.weights.copy()

    def towards(self, parts: Sequence[tuple[Longs, int, float]], wanted: float) -> None:
        """Let a sum of weights, each of a feature, by its row, for a class with its sign, be at least `wanted`."""
        size = self.weights.shape[1]
        places = np.concatenate([rows * size + which for rows, which, _ in parts])
        signs = np.repeat([sign for _, _, sign in parts], [len(rows) for rows, _, _ in parts])
        at, which = np.unique(places, return_inverse=True)
        delta, weights = np.bincount(which, signs), self.weights.reshape(-1)
        here = weights[at]
        margin, sizes = float(here @ delta), np.abs(here)
        rates = self.features.rates[at // size] / (1 + sizes / (sizes.mean() or 1.0)) ** 2
        total = float((rates * delta**2).sum())
        if margin < wanted and total:
            weights[at] += (wanted - margin) / total * rates * delta

    def done(self) -> LinearModel:
        """The model with what has been learned."""
        rows, columns = np.nonzero(self.weights != self.before)
        changed = (self.weights[rows, columns] - self.before[rows, columns]).astype(np.float32)
        return added(self.model, WeightEntries(self.features.keys[rows], columns.astype(np.int32), changed))


@dataclass(frozen=True, eq=False)
class _LinkFeatures:
    """The features of the links of one sentence; what does not depend on trees and weights is there already."""

    links: LinkKeys
    pairs: PairExamples
    rates: Floats
    """Of each template: far where it knows both words, hardly where it knows none; the last is that of every pair.

    A model of links keeps few weights, which do not say how often their features were there.
    """

    @classmethod
    def of(cls, linker: Linker, links: LinkKeys, heads: Ints) -> _LinkFeatures:
        pairs = PairExamples(links.nodes, heads, linker.prepositions if linker.shape.dynamic else None)
        known = np.array([words_known(feature) for feature in linker.templates.features] + [0])
        return cls(links, pairs, KNOWN_WORD**known)

    def of_links(self, heads: Ints, words: list[int]) -> list[tuple[Keys, Floats]]:
        """The keys and rates of the links of some words in a tree with these heads."""
        size, both = len(heads), [sorted((int(heads[word - 1]), word)) for word in words]
        numbers = np.array([a * size - a * (a - 1) // 2 + b - a - 1 for a, b in both], np.int32)
        seen = self.pairs.seen_as(heads).seen
        dynamic = np.empty((0, len(both)), np.uint64) if seen is None else self.pairs.dynamic(numbers, seen)
        found = []
        for (first, second), shown in zip(both, dynamic.T, strict=True):
            listed, origin = self.links.nodes.table.listed(first, second)
            keys, rates = (
                np.concatenate([listed, shown]),
                np.concatenate([self.rates[origin[:, 0]], np.ones(len(shown))]),
            )
            found.append((keys[keys != 0], rates[keys != 0]))
        return found


def _linked(linker: Linker, features: _LinkFeatures, heads: Ints, found: Ints, wanted: float) -> Linker:
    """The linker after a step for each word whose head it finds wrongly; in a committee each member makes its own."""
    if isinstance(linker.model, Committee):
        members = []
        for one in (replace(linker, model=model) for model in linker.model.models):
            members.append(_linked(one, features, heads, one.heads_under(features.links), wanted).model)
        return replace(linker, model=Committee(tuple(members), linker.model.shares))  # type: ignore[arg-type]
    assert isinstance(linker.model, LinearModel)
    words = (np.flatnonzero(heads != found) + 1).tolist()
    if not words:
        return linker
    trees = heads, found
    sides = [features.of_links(tree, words) for tree in trees]
    every = [link for side in sides for link in side]
    known = _Features.of(np.concatenate([keys for keys, _ in every]), np.concatenate([rates for _, rates in every]))
    rows = np.split(known.row, np.cumsum([len(keys) for keys, _ in every])[:-1])
    steps = _Steps(linker.model, known, CLASSES)
    for number, word in enumerate(words):
        right, wrong = rows[number], rows[len(words) + number]
        steps.towards([*_odds(right, heads, word, 1.0), *_odds(wrong, found, word, -1.0)], wanted)
    return replace(linker, model=steps.done())


def _odds(rows: Longs, heads: Ints, word: int, sign: float) -> list[tuple[Longs, int, float]]:
    """The log odds of a word's link against none, as a sum of weights."""
    return [(rows, RIGHT if heads[word - 1] < word else LEFT, sign), (rows, NONE, -sign)]


def _labelled(labeller: Labeller, features: _Features, start: Longs, labels: Ints, wanted: float) -> Labeller:
    """The labeller after a step for each word of the right tree whose label does not win clearly.

    The features of word w are those from start[w] to start[w + 1].
    """
    size, words = len(labeller.names), np.arange(len(labels))
    owner = np.repeat(words, np.diff(start))
    scores = labeller.model.totals(features.keys[features.row], owner, len(words), size)
    own = scores[words, labels]
    scores[words, labels] = -np.inf
    rivals = scores.argmax(axis=1)
    unclear = own - scores[words, rivals] < wanted
    if not unclear.any():
        return labeller
    some = features.some(unclear[owner])
    steps = _Steps(labeller.model, some, size)
    rows = np.split(some.row, np.cumsum(np.diff(start)[unclear])[:-1])
    for word, own_rows in zip(np.flatnonzero(unclear).tolist(), rows, strict=True):
        steps.towards([(own_rows, int(labels[word]), 1.0), (own_rows, int(rivals[word]), -1.0)], wanted)
    return replace(labeller, model=steps.done())
