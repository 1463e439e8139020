"""Update a boosted parser with a correction: steps towards a tree of one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT, Logits
from headway.parsers.boosted.dynamic import CLASSES
from headway.parsers.boosted.examples import PairExamples
from headway.parsers.boosted.explaining import assure_linear
from headway.parsers.boosted.labels import Labeller, label_features
from headway.parsers.boosted.linear import Floats, Keys, LinearModel, Longs, WeightEntries, added, linear_model
from headway.stages.constraints import Constraints
from headway.stages.gold import Trees
from headway.stages.tree_stage import Parsed, restored
from headway.stages.updating import Learned, update_until_right

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker, LinkKeys
    from headway.parsers.boosted.parser import BoostedParser

MARGIN = 3.0
"""By how much the log odds of a right link, or a right label, are to win after the first step; chosen on dev."""
KNOWN_WORD = 1000.0
"""How much further a weight moves for each of the two words that its feature knows; chosen on dev."""
LARGEST = 1e30
"""Weights stay below this, so that their sums are numbers."""


def updated(parser: BoostedParser, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    assure_linear(parser.linker)
    offsets = batch.sentence_word
    links = parser.linker.keys(parser.linker.templates.encode(batch), offsets)
    words, voters = parser.labeller.templates.encode(batch), [_voter(one, links) for one in parser.linker.members]

    def parsed(one: BoostedParser) -> Parsed:
        found = one.linker.elected([voter.heads for voter in voters], offsets)
        tree = Parsed(found.copy(), one.labeller.label(words, offsets, found), list(one.names))
        return tree if one.encoding is None else restored(tree, offsets, one.encoding)

    def steps(heads: Ints, names: list[str]) -> Iterator[BoostedParser]:
        known = parser.labeller
        labeller = replace(known, names=(*known.names, *sorted(set(names) - set(known.names))))
        labels = np.array([labeller.names.index(name) for name in names], np.int32)
        trees = Trees(offsets, np.ascontiguousarray(heads, np.int32), labels, labeller.names)
        of_links = _LinkFeatures.of(parser.linker, links, trees.heads)
        start, keys = label_features(labeller.templates, words, trees)
        of_labels = Features.often(keys)
        for rounds in count(1):
            voters[:] = [_linked(voter, of_links, trees.heads, MARGIN * rounds) for voter in voters]
            labeller = _labelled(labeller, of_labels, start, labels, MARGIN * rounds)
            linker = parser.linker.with_models([voter.linker.model for voter in voters])
            yield replace(parser, linker=linker, labeller=labeller)

    return update_until_right(parser, batch, wanted, parsed=parsed, steps=steps)


class _Voter(NamedTuple):
    """A linear model of links during a correction; a committee has several."""

    linker: Linker
    logits: Logits
    """Of the sentence. A step adds those of the weights that it moves; no others are looked up again."""
    heads: Ints
    """Those that it finds."""


def _voter(linker: Linker, links: LinkKeys) -> _Voter:
    logits = linker.logits_of(links)
    return _Voter(linker, logits, linker.heads_under(logits))


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
        pairs = linker.examples(links.nodes, heads)
        return cls(links, pairs, KNOWN_WORD ** np.append(linker.templates.words_known, 0))

    def of_links(self, heads: Ints, words: list[int]) -> list[tuple[Keys, Floats]]:
        """The keys and rates of the links of some words in a tree with these heads."""
        size, both = len(heads), [sorted((int(heads[word - 1]), word)) for word in words]
        numbers = np.array([a * size - a * (a - 1) // 2 + b - a - 1 for a, b in both], np.int32)
        dynamic, found = self.pairs.seen_as(heads).dynamic(numbers), []
        for (first, second), shown in zip(both, dynamic.T, strict=True):
            listed, origin = self.links.nodes.table.listed(first, second)
            keys, rates = (
                np.concatenate([listed, shown]),
                np.concatenate([self.rates[origin[:, 0]], np.ones(len(shown))]),
            )
            found.append((keys[keys != 0], rates[keys != 0]))
        return found


def _linked(voter: _Voter, features: _LinkFeatures, heads: Ints, wanted: float) -> _Voter:
    """The voter after a step for each word whose head it finds wrongly."""
    linker, found = voter.linker, voter.heads
    assert isinstance(linker.model, LinearModel)
    words = (np.flatnonzero(heads != found) + 1).tolist()
    if not words:
        return voter
    sides = [features.of_links(tree, words) for tree in (heads, found)]
    every = [link for side in sides for link in side]
    known = Features.of(np.concatenate([keys for keys, _ in every]), np.concatenate([rates for _, rates in every]))
    rows = np.split(known.row, np.cumsum([len(keys) for keys, _ in every])[:-1])
    steps = Steps(linker.model, known, CLASSES)
    for number, word in enumerate(words):
        right, wrong = rows[number], rows[len(words) + number]
        steps.step([*_odds(right, heads, word, 1.0), *_odds(wrong, found, word, -1.0)], wanted)
    moved = steps.moved()
    more = replace(linker, model=linear_model([moved])).logits_of(features.links)
    learned, logits = replace(linker, model=added(linker.model, moved)), voter.logits.plus(more)
    return _Voter(learned, logits, learned.heads_under(logits))


def _odds(rows: Longs, heads: Ints, word: int, sign: float) -> list[tuple[Longs, int, float]]:
    """The log odds of a word's link against none, as a sum of weights."""
    return [(rows, RIGHT if heads[word - 1] < word else LEFT, sign), (rows, NONE, -sign)]


def _labelled(labeller: Labeller, features: Features, start: Longs, labels: Ints, wanted: float) -> Labeller:
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
    steps = Steps(labeller.model, some, size)
    rows = np.split(some.row, np.cumsum(np.diff(start)[unclear])[:-1])
    for word, own_rows in zip(np.flatnonzero(unclear).tolist(), rows, strict=True):
        steps.step([(own_rows, int(labels[word]), 1.0), (own_rows, int(rivals[word]), -1.0)], wanted)
    return replace(labeller, model=added(labeller.model, steps.moved()))


class Features(NamedTuple):
    """Some features, one after the other, and how far the weights of each move beside others."""

    keys: Keys
    """Those that are distinct, in ascending order."""
    row: Longs
    """For each feature, which of them it is."""
    rates: Floats
    """Of those that are distinct."""

    @classmethod
    def of(cls, keys: Keys, rates: Floats) -> Features:
        """Features with their rates; equal ones have equal rates."""
        distinct, first, row = np.unique(keys, return_index=True, return_inverse=True)
        return cls(distinct, row, rates[first])

    @classmethod
    def often(cls, keys: Keys) -> Features:
        """Features whose weights move the less, the more often they are there."""
        distinct, row, often = np.unique(keys, return_inverse=True, return_counts=True)
        return cls(distinct, row, 1 / often**2)

    def some(self, which: NDArray[np.bool_]) -> Features:
        """Those of the features that are chosen, with the rates that they have among all."""
        distinct, row = np.unique(self.row[which], return_inverse=True)
        return Features(self.keys[distinct], row, self.rates[distinct])


class Steps:
    """Passive-aggressive steps on some weights of a model, one after the other.

    Each weight has a rate: small ones move more, and features have rates of their own. What frequent features have
    learned is worth more than one sentence. Crammer et al. (2006), with a variance for each weight that stays.
    """

    def __init__(self, model: LinearModel, features: Features, classes: int) -> None:
        """Know the features whose weights may move."""
        self.features = features
        self.weights = model.rows(features.keys, classes)
        self.before = self.weights.copy()

    def step(self, parts: Sequence[tuple[Longs, int, float]], wanted: float) -> None:
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

    def moved(self) -> WeightEntries:
        """What is to be added to the weights of the model."""
        if not (np.abs(self.weights) < LARGEST).all():
            raise HeadwayError("the weights of the model are so large that nothing can be added; train it again")
        rows, columns = np.nonzero(self.weights != self.before)
        moved = (self.weights[rows, columns] - self.before[rows, columns]).astype(np.float32)
        return WeightEntries(self.features.keys[rows], columns.astype(np.int32), moved)
