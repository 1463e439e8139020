"""A graph parser that learns from single corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.adaptation import MOST_ROUNDS, Learned, is_right
from headway.batch import Batch, Ints
from headway.constraints import Constraints
from headway.errors import HeadwayError
from headway.graph.explaining import GraphExplainer
from headway.kernels.graph import explaining as kernel
from headway.pseudoprojective import projectivize
from headway.trees import as_tree

if TYPE_CHECKING:
    from headway.graph.parser import GraphParser

MARGIN = 0.05
"""By how much a right arc or label is to win after a step."""
LARGEST = 32767


def adapted(parser: GraphParser, batch: Batch, wanted: Constraints) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    if _is_right(parser, batch, wanted):
        return Learned(parser, 0, True)
    heads, names = _filled(parser, batch, wanted)
    if parser.encoding is not None:
        heads, names = projectivize(heads, names, parser.encoding)
    parser = _with_labels(parser, names)
    if not parser.own:
        parser = replace(parser, weights=parser.weights.copy(), own=True)
    labels = [parser.labels.index(name) for name in names]
    for rounds in range(1, MOST_ROUNDS + 1):
        _step(parser, batch, heads.tolist(), labels, MARGIN * rounds)
        if _is_right(parser, batch, wanted):
            return Learned(parser, rounds, True)
    return Learned(parser, MOST_ROUNDS, False)


def _is_right(parser: GraphParser, batch: Batch, wanted: Constraints) -> bool:
    found = parser.trees(batch)
    return is_right(found.heads.tolist(), [found.names[at] for at in found.labels], wanted)


def _filled(parser: GraphParser, batch: Batch, wanted: Constraints) -> tuple[Ints, list[str]]:
    """A whole tree: what is wanted, and what the parser chooses beside it."""
    words = range(1, len(batch.word_line) + 1)
    if len(wanted.required) == len(wanted.labels) == len(words):
        heads = np.array([wanted.required[word] for word in words], np.int32)
        return as_tree(heads), [wanted.labels[word] for word in words]
    tree = parser.constrained(batch, 0, wanted)
    return tree.heads, [wanted.labels.get(word, tree.names[at]) for word, at in enumerate(tree.labels, 1)]


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
        places, signs = [], []
        for parts, sign in ((ours - theirs, 1.0), (theirs - ours, -1.0)):
            _, numbers = kernel.features_of(explainer.graph, 0, len(heads), np.array(sorted(parts), np.int32))
            places.append(numbers[:, 4].astype(np.int64))
            signs.append(np.full(len(numbers), sign))
        _move(parser, np.concatenate(places), np.concatenate(signs), wanted * len(wrong))
    explainer.heads = np.array(right, np.int32)
    explainer.labels = np.array(labels, np.int32)
    for word, label in enumerate(labels, 1):
        decision = explainer.label(word)
        if decision.rival_score is not None and decision.score - decision.rival_score < wanted:
            _, keys = explainer.label_view(right[word - 1], word)
            rival = parser.labels.index(str(decision.over).removeprefix("label "))
            own, other = (kernel.places_of(explainer.graph, keys, one) for one in (label, rival))
            _move(parser, np.concatenate([own, other]), np.repeat([1.0, -1.0], len(keys)), wanted)


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


def _move(parser: GraphParser, places: NDArray[np.int64], signs: NDArray[np.float64], wanted: float) -> None:
    """A passive-aggressive step along a difference of features; small weights, mostly of rare features, move more."""
    distinct, which = np.unique(places, return_inverse=True)
    delta = np.bincount(which, signs)
    weights = parser.weights[distinct].astype(np.float64)
    margin = float(weights @ delta) * parser.scale
    usual = np.abs(weights).mean() or 1.0
    rates = 1 / (1 + np.abs(weights) / usual) ** 2
    total = float((rates * delta**2).sum())
    if margin >= wanted or not total:
        return
    moved = weights + (wanted - margin) / total * rates * delta / parser.scale
    parser.weights[distinct] = np.clip(np.rint(moved), -LARGEST, LARGEST).astype(np.int16)
