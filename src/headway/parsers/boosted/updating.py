"""Learn from corrections, by steps towards a tree of one sentence.

And from more trees: models begin with what they know and keep a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.learners.registry import kind_of, names
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT, Logits
from headway.parsers.boosted.explaining import assure_linear
from headway.parsers.boosted.labels import Labeller, label_features, learn_labels
from headway.parsers.boosted.linear import (
    Features,
    Floats,
    Keys,
    LinearModel,
    Longs,
    Steps,
    WeightEntries,
    added,
    linear_model,
)
from headway.parsers.boosted.local import LinearLearner, learn, local_learner
from headway.parsers.boosted.pair_features import CLASSES, ExamplesByFeature, PairExamples
from headway.stages.constraints import Constraints
from headway.stages.gold import Trees, encode_all, trees_among
from headway.stages.tree_stage import Parsed, restored
from headway.stages.updating import Learned, update_until_right
from headway.training.passes import continued_about

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker, LinkKeys
    from headway.parsers.boosted.parser import BoostedParser

MARGIN = 3.0
"""By how much the log odds of a right link, or a right label, are to win after the first step; chosen on dev."""
KNOWN_WORD = 1000.0
"""How much further a weight moves for each of the two words that its feature knows; chosen on dev."""


def updated(parser: BoostedParser, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    assure_linear(parser.linker)
    offsets = batch.sentence_word
    links = parser.linker.keys(parser.linker.templates.encode(batch), offsets)
    words, voters = parser.labeller.templates.encode(batch), []
    for one in parser.linker.members:
        logits = one.logits_of(links)
        voters.append(_Voter(one, logits, one.heads_under(logits)))

    def parsed(one: BoostedParser) -> Parsed:
        found = one.linker.elected([voter.heads for voter in voters], offsets)
        tree = Parsed(found.copy(), one.labeller.label(words, offsets, found), one.names)
        return restored(tree, offsets, one.encoding)

    def steps(heads: Ints, names: list[str]) -> Iterator[BoostedParser]:
        known = parser.labeller
        labeller = replace(known, names=(*known.names, *sorted(set(names) - set(known.names))))
        labels = np.array([labeller.names.index(name) for name in names], np.int32)
        trees = Trees(offsets, np.ascontiguousarray(heads, np.int32), labels, labeller.names)
        rates = KNOWN_WORD ** np.append(parser.linker.templates.words_known, 0)
        of_links = _LinkFeatures(links, parser.linker.examples(links.nodes, trees.heads), rates)
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


class _LinkFeatures(NamedTuple):
    """The features of the links of one sentence; what does not depend on trees and weights is there already."""

    links: LinkKeys
    pairs: PairExamples
    rates: Floats
    """Of each template: far where it knows both words, hardly where it knows none; the last is that of every pair.

    A model of links keeps few weights, which do not say how often their features were there.
    """

    def of_links(self, heads: Ints, words: list[int]) -> list[tuple[Keys, Floats]]:
        """The keys and rates of the links of some words in a tree with these heads."""
        size, both = len(heads), [sorted((int(heads[word - 1]), word)) for word in words]
        numbers = np.array([a * size - a * (a - 1) // 2 + b - a - 1 for a, b in both], np.int32)
        dynamic, found = self.pairs.seen_as(heads).dynamic(numbers), []
        for (first, second), shown in zip(both, dynamic.T, strict=True):
            listed, origin = self.links.nodes.table.listed(first, second)
            keys = np.concatenate([listed, shown])
            rates = np.concatenate([self.rates[origin[:, 0]], np.ones(len(shown))])
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


def continued(
    parser: BoostedParser, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> BoostedParser:
    """The parser with the mean of its weights and of those that it learns from more trees, beginning with its own.

    Each counts as much as it has words, new ones as often as there are passes; features that the new trees do not have
    stay. A batch learner cannot know what it would have learned from all trees in one piece. All examples are seen at
    once, so that only online learners shuffle them. In a committee each member learns for itself.
    """
    linker, labeller = parser.linker, parser.labeller
    assure_linear(linker)
    trees = trees_among(batches, parser.encoding, parser.names)
    about = continued_about(parser.about, batches, passes)
    before, new = int(parser.about["words"]), passes * len(trees.heads)
    links, labels = (_learner(parser.about.get(name), seed) for name in ("learner", "label_learner"))
    encoded = encode_all(linker.templates, batches)
    pairs, models = linker.examples(linker.nodes(encoded, trees.offsets), trees.heads), []
    for one in linker.members:
        mixing, model = _Mixing(links, new / (before + new)), cast(LinearModel, one.model)
        models.append(mixing.with_unseen(learn(pairs, np.ones(len(pairs)), mixing, begin=model), model))
    mixing = _Mixing(labels, new / (before + new))
    encoded = encode_all(labeller.templates, batches)
    found = learn_labels(labeller.templates, encoded, trees, mixing, begin=labeller.model)
    labeller = replace(found, model=mixing.with_unseen(found.model, labeller.model))
    return replace(parser, linker=linker.with_models(models), labeller=labeller, about=about)


def _learner(described: Any, seed: int) -> LinearLearner:
    """The learner that a model names; one of ours, as others are not described well enough to be made again."""
    name = described.get("name") if isinstance(described, Mapping) else None
    if name not in names() or kind_of(name).way == "kernel":
        raise HeadwayError("the learner of the model is not one of headway's and cannot go on; train the parser again")
    options = {what: value for what, value in described.items() if what != "name"}
    return cast(LinearLearner, local_learner(name, options, {}, seed=seed))


@dataclass(eq=False)
class _Mixing:
    """A learner that moves weights by a share of the way to what it learns, and notes which features it has seen."""

    learner: LinearLearner
    share: float
    seen: list[Keys] = field(default_factory=list)

    def fit(self, columns: ExamplesByFeature, importance: Floats, weights: Floats) -> None:
        """Learn from where the weights are, and come back a part of the way."""
        before = weights.copy()
        self.learner.fit(columns, importance, weights)
        weights[:] = (1 - self.share) * before + self.share * weights
        self.seen.append(columns.keys)

    def with_unseen(self, learned: LinearModel, before: LinearModel) -> LinearModel:
        """What was learned, and of the model before it the features that were not there."""
        old = before.entries
        unseen = ~np.isin(old.keys, np.concatenate(self.seen))
        return linear_model([learned.entries, WeightEntries(*(array[unseen] for array in old))])  # type: ignore[arg-type]
