"""Learn from corrections, by steps towards a tree of one sentence, and from more trees, by more passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.trees import labels_before
from headway.features.encode import Keys
from headway.kernels.graph import explaining as kernel
from headway.parsers.graph.scoring import ScoredSentence, siblings_in
from headway.stages.constraints import Constraints
from headway.stages.gold import trees_among
from headway.stages.tree_stage import Parsed, restored
from headway.stages.updating import Learned, update_until_right
from headway.training.passes import continue_passes, learner_of, state_of

if TYPE_CHECKING:
    from headway.parsers.graph.parser import GraphParser

MARGIN = 0.05
"""By how much a right arc or label is to win after a step."""
KNOWN_WORD = 100.0
"""How much further a weight of an arc moves for each word that its feature knows; chosen on dev."""
KNOWN_LABELS = 4
"""The rate of a label's weight falls with this power of the number of labels that its feature knows; chosen on dev."""
SMALLEST = 0.1
"""Weights below this share of the usual one count as equally small; chosen on dev."""
LARGEST = 32767
Floats = NDArray[np.float64]


def updated(parser: GraphParser, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    found = np.empty(len(batch.word_line), np.int32)

    def parsed(one: GraphParser) -> Parsed:
        tree = one.found(batch)
        found[:] = tree.heads
        return restored(tree, batch.sentence_word, one.encoding)

    def steps(heads: Ints, names: list[str]) -> Iterator[GraphParser]:
        learning = with_labels(parser, names)
        if not in_place or learning is not parser:
            learning = replace(learning, weights=learning.weights.copy())
        labels, sentence = [learning.labels.index(name) for name in names], ScoredSentence(learning, batch)
        views = _label_features(sentence, heads, np.array(labels, np.int32))
        for rounds in count(1):
            _step_to_arcs(learning, sentence, heads.tolist(), found.tolist(), MARGIN * rounds)
            _step_to_labels(learning, sentence, views, labels, MARGIN * rounds)
            yield learning

    return update_until_right(parser, batch, wanted, parsed=parsed, steps=steps)


def _label_features(sentence: ScoredSentence, heads: Ints, labels: Ints) -> list[Keys]:
    """The keys of the features of each word's label in a tree."""
    nothing = np.full(len(heads), -1, np.int32)
    if sentence.parser.shape.labels == "joint":
        seen = [(nothing, nothing)] * len(heads)
    else:
        seen = [(heads, labels_before(heads.tolist(), labels, word)) for word in range(1, len(heads) + 1)]
    return [
        sentence.label_view(tree, known, int(heads[word - 1]), word)[1] for word, (tree, known) in enumerate(seen, 1)
    ]


def with_labels(parser: GraphParser, names: Sequence[str]) -> GraphParser:
    """The parser with all labels; a row of weights has room for some new ones."""
    new = sorted(set(names) - set(parser.labels))
    if not new:
        return parser
    larger = replace(parser, labels=(*parser.labels, *new))
    if larger.width != parser.width:
        raise HeadwayError(f"the model has no room for the new label {new[-1]!r}; train it again with this label")
    return larger


def _step_to_arcs(
    parser: GraphParser, sentence: ScoredSentence, right: Sequence[int], found: Sequence[int], wanted: float
) -> None:
    """Move the weights, in place, so that the right tree beats the one found."""
    wrong = sum(one != other for one, other in zip(right, found, strict=True))
    if not wrong:
        return
    ours, theirs = (_parts(tree, sentence.with_siblings) for tree in (right, found))
    places, signs, rates = [], [], []
    for parts, sign in ((ours - theirs, 1.0), (theirs - ours, -1.0)):
        listed = np.array(sorted(parts), np.int32)
        start, numbers = kernel.features_of(sentence.graph, 0, len(right), listed)
        part = np.repeat(np.arange(len(listed)), np.diff(start))
        places.append(numbers[:, 4].astype(np.int64))
        signs.append(np.full(len(numbers), sign))
        rates.append(_rates_of_arcs(parser, numbers[:, 0], listed[part]))
    _move(parser, np.concatenate(places), np.concatenate(signs), np.concatenate(rates), wanted * wrong)


def _rates_of_arcs(parser: GraphParser, templates: Ints, parts: Ints) -> Floats:
    """How far features of parts (head, word, sibling) move, one after the other, by the words that each names.

    Without a sibling a feature of two words is one of every outermost child with that form: it names one word, and so
    does a feature of the root and a word.
    """
    heads, _, siblings = parts.T
    found: Floats = KNOWN_WORD ** parser.templates.words_known[2 * (heads == 0) + (siblings == heads), templates]
    return found


def _step_to_labels(
    parser: GraphParser, sentence: ScoredSentence, views: Sequence[Keys], labels: Sequence[int], wanted: float
) -> None:
    """Move the weights, in place, so that each right label beats the best other; `views` are the keys of words."""
    for keys, label in zip(views, labels, strict=True):
        scores = sentence.label_scores(keys) * parser.scale
        own, scores[label] = float(scores[label]), -np.inf
        rival = int(scores.argmax())
        if own - scores[rival] < wanted:
            places = [kernel.places_of(sentence.graph, keys, one) for one in (label, rival)]
            signs, rates = np.repeat([1.0, -1.0], len(keys)), _rates_of_labels(parser, places[0], label)
            _move(parser, np.concatenate(places), signs, np.concatenate([rates, rates]), wanted)


def _rates_of_labels(parser: GraphParser, places: NDArray[np.int64], label: int) -> Floats:
    """How far features move, by the places of a label's weights: much less where many labels have one, as for tags.

    The weights of a feature stand one label after the other in its row, from some place on and around its end.
    """
    first, width = 1 << parser.shape.bits, 1 << parser.width
    rows, at = np.divmod(places - first, width)
    columns = (at[:, None] - label + np.arange(len(parser.labels))) % width
    known = np.count_nonzero(parser.weights[first:].reshape(-1, width)[rows[:, None], columns], axis=1)
    found: Floats = (1.0 + known) ** -KNOWN_LABELS
    return found


def _parts(heads: Sequence[int], with_siblings: bool) -> set[tuple[int, int, int]]:
    """The parts that a tree is scored by: arcs, and at order 2 children beside the one before them."""
    arcs = {(head, word, -1) for word, head in enumerate(heads, 1)}
    return arcs | set(siblings_in(heads)) if with_siblings else arcs


def _move(parser: GraphParser, places: NDArray[np.int64], signs: Floats, rates: Floats, wanted: float) -> None:
    """A passive-aggressive step along a difference of features; small weights, mostly of rare features, move more."""
    distinct, first, which = np.unique(places, return_index=True, return_inverse=True)
    delta = np.bincount(which, signs)
    weights = parser.weights[distinct].astype(np.float64)
    margin = float(weights @ delta) * parser.scale
    usual = np.abs(weights).mean() or 1.0
    rates = rates[first] / (SMALLEST + np.abs(weights) / usual) ** 2
    total = float((rates * delta**2).sum())
    if margin >= wanted or not total:
        return
    moved = weights + (wanted - margin) / total * rates * delta / parser.scale
    parser.weights[distinct] = np.clip(np.rint(moved), -LARGEST, LARGEST).astype(np.int16)


def continued(
    parser: GraphParser, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> GraphParser:
    """The parser after passes over more trees, with the learner that it was trained with.

    One pass without shuffling gives the same weights as if these trees had stood behind the others in one training of
    one pass, where they bring no new columns and labels. A row of weights has room for some new labels.
    """
    from headway.parsers.graph.options import GraphOptions
    from headway.parsers.graph.parser import STATE_LAYOUT
    from headway.parsers.graph.training import GraphTraining

    state, learner = state_of(parser.state), learner_of(parser.about)
    trees = trees_among(batches, parser.encoding, parser.labels)
    with_labels(parser, trees.names)
    how: dict[str, Any] = {name: state.header[name] for name in STATE_LAYOUT.options}
    how |= {name: getattr(parser.shape, name) for name in ("order", "labels")}
    options = GraphOptions(learner=learner, shuffle=shuffle, seed=seed, updatable=True, **how)
    training = GraphTraining(options, learner, batches, parser.shape, parser.encoding, trees, parser.templates)
    places = np.array(state.arrays["places"], np.int64)
    begun = {"learned": training.weights, "sums": training.sums, "variances": training.variances}
    for name, array in begun.items():
        own = state.arrays[name]
        if len(own) != (len(places) if len(array) else 0) or (len(array) and places.max(initial=0) >= len(array)):
            raise HeadwayError(f"the state of the model is damaged ({name} do not fit places); train it again")
        if len(array):
            array[places] = own
    training.steps = state.header["steps"]
    return continue_passes(training, parser, batches, passes)
