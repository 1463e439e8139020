"""A transition parser that learns from single corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from headway.adaptation import MOST_ROUNDS, Learned, is_right
from headway.batch import Batch, Ints
from headway.constraints import Constraints
from headway.features.compile import Encoded
from headway.kernels.transition.adapting import step_towards
from headway.kernels.transition.examples import count_transitions
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.weights.adapting import OwnWeights, remapped
from headway.pseudoprojective import projectivize
from headway.transition.classes import Classes
from headway.transition.constraining import constrained
from headway.trees import as_tree

if TYPE_CHECKING:
    from headway.transition.parser import TransitionParser

MARGIN = 0.1
"""By how much right transitions are to win after a step, chosen on development data."""


def adapted(parser: TransitionParser, batch: Batch, wanted: Constraints) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted.

    Where only some heads are given, the rest of that tree is what the parser itself would choose beside them.
    """
    encoded, longest = parser.templates.encode(batch), max(1, len(batch.word_line))
    if _is_right(parser, encoded, batch, wanted):
        return Learned(parser, 0, True)
    heads, names = _filled(parser, batch, wanted)
    if parser.encoding is not None:
        heads, names = projectivize(heads, names, parser.encoding)
    heads = np.ascontiguousarray(heads, np.int32)
    parser = _with_labels(parser, heads, names)
    own = parser.own or OwnWeights(*parser.weights, len(parser.classes))
    number = {name: at for at, name in enumerate(parser.classes.labels)}
    labels = np.array([number[name] for name in names], np.int32)
    ready = parser.with_free_roots().setup(encoded, longest)
    for rounds in range(1, MOST_ROUNDS + 1):
        step_towards(ready, own, heads, labels, MARGIN * rounds)
        parser = replace(parser, weights=type(parser.weights)(*own.arrays()), own=own)
        if _is_right(parser, encoded, batch, wanted):
            return Learned(parser, rounds, True)
    return Learned(parser, MOST_ROUNDS, False)


def _is_right(parser: TransitionParser, encoded: Encoded, batch: Batch, wanted: Constraints) -> bool:
    found = parser.trees_of_words(encoded, batch.sentence_word)
    return is_right(found.heads.tolist(), [found.names[at] for at in found.labels], wanted)


def _filled(parser: TransitionParser, batch: Batch, wanted: Constraints) -> tuple[Ints, list[str]]:
    """A whole tree: what is wanted, and what the parser chooses beside it; arcs may cross where it can lift them."""
    words = range(1, len(batch.word_line) + 1)
    if len(wanted.required) == len(wanted.labels) == len(words):
        heads = np.array([wanted.required[word] for word in words], np.int32)
        return as_tree(heads), [wanted.labels[word] for word in words]
    tree = constrained(parser, batch, 0, wanted, crossing=parser.encoding is not None)
    return tree.heads, [wanted.labels.get(word, tree.names[at]) for word, at in enumerate(tree.labels, 1)]


def _with_labels(parser: TransitionParser, heads: Ints, names: list[str]) -> TransitionParser:
    """The parser with classes for all transitions of a tree; new ones ask for weights that are laid out anew."""
    classes = parser.classes
    labels = (*classes.labels, *sorted(set(names) - set(classes.labels)))
    number = {name: at for at, name in enumerate(labels)}
    counts = np.zeros((len(ACTION_NAMES), len(labels) + 1), np.int64)
    numbers, offsets = np.array([number[name] for name in names], np.int32), np.array([0, len(heads)], np.int32)
    count_transitions(replace(parser.system, single_root=False).kernel, offsets, heads, numbers, len(heads), counts)
    seen = set(classes.transitions)
    wanted = {(int(action), int(label) - 1) for action, label in np.argwhere(counts)}
    transitions = tuple(sorted(seen | wanted))
    if transitions == classes.transitions and labels == classes.labels:
        return parser
    larger = Classes(labels, transitions, classes.two_step)
    weights = remapped(*parser.weights, renumbered(classes, larger), len(larger))
    return replace(parser, classes=larger, weights=type(parser.weights)(*weights), own=None)


def renumbered(before: Classes, after: Classes) -> Ints:
    """For each class its number among more classes."""
    mapping = np.empty(len(before), np.int32)
    if before.two_step:
        first = len(ACTION_NAMES)
        place = {pair: at for at, pair in enumerate(after.labelled, start=first)}
        mapping[:first] = range(first)
        mapping[first:] = [place[pair] for pair in before.labelled]
    else:
        place = {pair: at for at, pair in enumerate(after.transitions)}
        mapping[:] = [place[pair] for pair in before.transitions]
    return mapping
