"""A graph parser that learns from single corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.adaptation import Learned, towards
from headway.batch import Batch, Ints
from headway.constraints import Constraints
from headway.errors import HeadwayError
from headway.features.groups import words_known
from headway.graph.explaining import GraphExplainer
from headway.kernels.graph import explaining as kernel

if TYPE_CHECKING:
    from headway.graph.parser import GraphParser

MARGIN = 0.05
"""By how much a right arc or label is to win after a step."""
KNOWN_WORD = 100.0
"""How much further a weight of an arc moves for each word that its feature knows; chosen on dev."""
LARGEST = 32767
Floats = NDArray[np.float64]


def adapted(parser: GraphParser, batch: Batch, wanted: Constraints) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""

    def steps(heads: Ints, names: list[str]) -> Iterator[GraphParser]:
        learning = _with_labels(parser, names)
        if not learning.own:
            learning = replace(learning, weights=learning.weights.copy(), own=True)
        labels = [learning.labels.index(name) for name in names]
        for rounds in count(1):
            _step(learning, batch, heads.tolist(), labels, MARGIN * rounds)
            yield learning

    return towards(
        parser,
        wanted,
        parsed=lambda one: one.trees(batch),
        beside=lambda: parser.constrained(batch, 0, wanted),
        encoding=parser.encoding,
        steps=steps,
    )


def _with_labels(parser: GraphParser, names: Sequence[str]) -> GraphParser:
    """The parser with all labels; a row of weights has room for some new ones."""
    new = sorted(set(names) - set(parser.labels))
    if not new:
        return parser
    larger = replace(parser, labels=(*parser.labels, *new))
    if larger.width != parser.width:
        raise HeadwayError(f"the model has no room for the new label {new[-1]!r}; train it again with this label")
    return larger


def _step(parser: GraphParser, batch: Batch, heads: Sequence[int], labels: Sequence[int], wanted: float) -> None:
    """Move the weights, in place, so that the right tree beats the one found, and each right label the best other."""
    explainer = GraphExplainer(parser, parser.graph(parser.templates.encode(batch), len(heads)), batch)
    found, right = explainer.heads.tolist(), list(heads)
    wrong = [word for word in range(1, len(heads) + 1) if found[word - 1] != right[word - 1]]
    if wrong:
        ours, theirs = (_parts(tree, explainer.with_siblings) for tree in (right, found))
        known = np.array([words_known(core) for core in parser.templates.cores])
        places, signs, rates = [], [], []
        for parts, sign in ((ours - theirs, 1.0), (theirs - ours, -1.0)):
            _, numbers = kernel.features_of(explainer.graph, 0, len(heads), np.array(sorted(parts), np.int32))
            places.append(numbers[:, 4].astype(np.int64))
            signs.append(np.full(len(numbers), sign))
            rates.append(KNOWN_WORD ** known[numbers[:, 0]])
        _move(parser, np.concatenate(places), np.concatenate(signs), np.concatenate(rates), wanted * len(wrong))
    explainer.heads = np.array(right, np.int32)
    explainer.labels = np.array(labels, np.int32)
    for word, label in enumerate(labels, 1):
        decision = explainer.label(word)
        if decision.rival_score is not None and decision.score - decision.rival_score < wanted:
            _, keys = explainer.label_view(right[word - 1], word)
            rival = parser.labels.index(str(decision.over).removeprefix("label "))
            own, other = (kernel.places_of(explainer.graph, keys, one) for one in (label, rival))
            difference = np.repeat([1.0, -1.0], len(keys))
            _move(parser, np.concatenate([own, other]), difference, np.ones(len(difference)), wanted)


def _parts(heads: Sequence[int], with_siblings: bool) -> set[tuple[int, int, int]]:
    """The parts that a tree is scored by: arcs, and at order 2 children beside the one before them."""
    found = {(head, word, -1) for word, head in enumerate(heads, 1)}
    if not with_siblings:
        return found
    for head in range(len(heads) + 1):
        children = [word for word, above in enumerate(heads, 1) if above == head]
        for side in ([word for word in reversed(children) if word < head], [word for word in children if word > head]):
            found |= {(head, word, before) for before, word in zip([head, *side], side, strict=False)}
    return found


def _move(parser: GraphParser, places: NDArray[np.int64], signs: Floats, rates: Floats, wanted: float) -> None:
    """A passive-aggressive step along a difference of features; small weights, mostly of rare features, move more."""
    distinct, first, which = np.unique(places, return_index=True, return_inverse=True)
    delta = np.bincount(which, signs)
    weights = parser.weights[distinct].astype(np.float64)
    margin = float(weights @ delta) * parser.scale
    usual = np.abs(weights).mean() or 1.0
    rates = rates[first] / (1 + np.abs(weights) / usual) ** 2
    total = float((rates * delta**2).sum())
    if margin >= wanted or not total:
        return
    moved = weights + (wanted - margin) / total * rates * delta / parser.scale
    parser.weights[distinct] = np.clip(np.rint(moved), -LARGEST, LARGEST).astype(np.int16)
