"""A boosted parser that learns from single corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from headway.adaptation import Learned, towards
from headway.batch import Batch, Ints
from headway.boosting.decoder import LEFT, NONE, RIGHT
from headway.boosting.dynamic import CLASSES
from headway.boosting.explaining import LinkExplainer, assure_linear
from headway.boosting.label_explaining import TreeLabelExplainer
from headway.boosting.labels import Labeller
from headway.boosting.linear import Floats, Keys, LinearModel, WeightEntries, added
from headway.boosting.voting import Committee
from headway.constraints import Constraints
from headway.features.groups import words_known
from headway.tree_stage import Parsed, restored

if TYPE_CHECKING:
    from headway.boosting.linker import Linker
    from headway.boosting.parser import BoostedParser

MARGIN = 1.0
"""By how much the log odds of a right link, or a right label, are to win after the first step; chosen on dev."""
KNOWN_WORD = 1000.0
"""How much further a weight moves for each of the two words that its feature knows; chosen on dev."""


def adapted(parser: BoostedParser, batch: Batch, wanted: Constraints) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    assure_linear(parser.linker)
    links, offsets = parser.linker.templates.encode(batch), batch.sentence_word
    words, found = parser.labeller.templates.encode(batch), np.empty(int(offsets[-1]), np.int32)

    def parsed(one: BoostedParser) -> Parsed:
        found[:] = one.linker.heads(links, offsets)
        tree = Parsed(found.copy(), one.labeller.label(words, offsets, found), list(one.names))
        return tree if one.encoding is None else restored(tree, offsets, one.encoding)

    def steps(heads: Ints, names: list[str]) -> Iterator[BoostedParser]:
        known = parser.labeller
        labeller = replace(known, names=(*known.names, *sorted(set(names) - set(known.names))))
        labels, linker = np.array([labeller.names.index(name) for name in names], np.int32), parser.linker
        for rounds in count(1):
            linker = _linked(linker, batch, heads, found, MARGIN * rounds)
            labeller = _labelled(labeller, batch, heads, labels, MARGIN * rounds)
            yield replace(parser, linker=linker, labeller=labeller)

    return towards(
        parser,
        wanted,
        parsed=parsed,
        beside=lambda: parser.constrained(batch, 0, wanted),
        encoding=parser.encoding,
        steps=steps,
    )


class _Steps:
    """Passive-aggressive steps on some weights of a model, one after the other.

    Each weight has a rate: small ones move more, and features have rates of their own. What frequent features have
    learned is worth more than one sentence. Crammer et al. (2006), with a variance for each weight that stays.
    """

    def __init__(self, model: LinearModel, keys: Keys, rates: Floats, classes: int) -> None:
        """Know features, some of them several times, and how far their weights move beside others."""
        self.model = model
        self.keys, first = np.unique(keys, return_index=True)
        self.rates = rates[first]
        self.weights = model.rows(self.keys, classes)
        self.before = self.weights.copy()

    def towards(self, parts: Sequence[tuple[Keys, int, float]], wanted: float) -> None:
        """Let a sum of weights, each of a feature for a class with its sign, be at least `wanted`."""
        size = self.weights.shape[1]
        places = np.concatenate([np.searchsorted(self.keys, keys) * size + which for keys, which, _ in parts])
        signs = np.concatenate([np.full(len(keys), sign) for keys, _, sign in parts])
        at, which = np.unique(places, return_inverse=True)
        delta, weights = np.bincount(which, signs), self.weights.reshape(-1)
        margin, usual = float(weights[at] @ delta), np.abs(weights[at]).mean() or 1.0
        rates = self.rates[at // size] / (1 + np.abs(weights[at]) / usual) ** 2
        total = float((rates * delta**2).sum())
        if margin < wanted and total:
            weights[at] += (wanted - margin) / total * rates * delta

    def done(self) -> LinearModel:
        """The model with what has been learned."""
        rows, columns = np.nonzero(self.weights != self.before)
        changed = (self.weights - self.before)[rows, columns].astype(np.float32)
        return added(self.model, WeightEntries(self.keys[rows], columns.astype(np.int32), changed))


def _linked(linker: Linker, batch: Batch, heads: Ints, found: Ints, wanted: float) -> Linker:
    """The linker after a step for each word whose head it finds wrongly; in a committee each member makes its own."""
    if isinstance(linker.model, Committee):
        members = []
        for one in (replace(linker, model=model) for model in linker.model.models):
            own = one.heads(one.templates.encode(batch), batch.sentence_word)
            members.append(_linked(one, batch, heads, own, wanted).model)
        return replace(linker, model=Committee(tuple(members), linker.model.shares))  # type: ignore[arg-type]
    right, wrong = (LinkExplainer(linker, batch, tree) for tree in (heads, found))
    words = (np.flatnonzero(right.heads != wrong.heads) + 1).tolist()
    if not words:
        return linker
    links = [(one, int(one.heads[word - 1]), word) for word in words for one in (right, wrong)]
    keys = {(one, word): one.keys(head, word) for one, head, word in links}
    rates = np.concatenate([_rates(one, head, word) for one, head, word in links])
    steps = _Steps(right.model, np.concatenate(list(keys.values())), rates, CLASSES)
    for word in words:
        parts = [*_odds(right, word, keys[right, word], 1.0), *_odds(wrong, word, keys[wrong, word], -1.0)]
        steps.towards(parts, wanted)
    return replace(linker, model=steps.done())


def _rates(links: LinkExplainer, head: int, word: int) -> Floats:
    """How far the weights of a link's features move: far where a feature knows both words, hardly where it knows none.

    A model of links keeps few weights, which do not say how often their features were there.
    """
    first, second = sorted((head, word))
    known = np.array([words_known(feature) for feature in links.linker.templates.features] + [0])
    _, origin = links.nodes.table.listed(first, second)
    return KNOWN_WORD ** np.concatenate([known[origin[:, 0]], np.zeros(len(links.dynamic))])


def _odds(links: LinkExplainer, word: int, keys: Keys, sign: float) -> list[tuple[Keys, int, float]]:
    """The log odds of a word's link against none, as a sum of weights."""
    keys, head = keys[keys != 0], links.heads[word - 1]
    return [(keys, RIGHT if head < word else LEFT, sign), (keys, NONE, -sign)]


def _labelled(labeller: Labeller, batch: Batch, heads: Ints, labels: Ints, wanted: float) -> Labeller:
    """The labeller after a step for each word of the right tree whose label does not win clearly."""
    explainer = TreeLabelExplainer(labeller, batch, heads, labels)
    views = [explainer.view(word)[1] for word in range(1, len(labels) + 1)]
    every = np.concatenate(views)
    _, which, often = np.unique(every, return_inverse=True, return_counts=True)
    steps = _Steps(labeller.model, every, 1 / often[which] ** 2, len(labeller.names))
    for keys, label in zip(views, labels.tolist(), strict=True):
        scores = labeller.model.rows(keys, len(labeller.names)).sum(axis=0)
        own, scores[label] = float(scores[label]), -np.inf
        if len(scores) > 1 and own - scores.max() < wanted:
            steps.towards([(keys, label, 1.0), (keys, int(np.argmax(scores)), -1.0)], wanted)
    return replace(labeller, model=steps.done())
