"""Update a transition parser with a correction: steps towards a tree of one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.kernels.transition.adapting import step_towards
from headway.kernels.transition.examples import count_transitions
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.weights.adapting import OwnWeights
from headway.kernels.weights.table import CLASSES as MOST_CLASSES
from headway.parsers.transition.classes import Classes
from headway.stages.constraints import Constraints
from headway.stages.updating import Learned, update_until_right

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser

MARGIN = 0.1
"""By how much right transitions are to win after a step, chosen on development data."""


def updated(parser: TransitionParser, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    encoded, longest = parser.templates.encode(batch), max(1, len(batch.word_line))

    def steps(heads: Ints, names: list[str]) -> Iterator[TransitionParser]:
        tree = np.ascontiguousarray(heads, np.int32)
        classes = _classes_of(parser, tree, names)
        own = _own_weights(parser, classes, in_place)
        learning = replace(parser, classes=classes, weights=own)
        number = {name: at for at, name in enumerate(classes.labels)}
        labels = np.array([number[name] for name in names], np.int32)
        ready = learning.with_free_roots().setup(encoded, longest)
        for rounds in count(1):
            step_towards(ready, own, tree, labels, MARGIN * rounds)
            yield learning

    return update_until_right(
        parser, batch, wanted, parsed=lambda one: one.trees_of_words(encoded, batch.sentence_word), steps=steps
    )


def _own_weights(parser: TransitionParser, classes: Classes, in_place: bool) -> OwnWeights:
    """Weights to change: those of the parser where that may be, else a copy, which is laid out for new classes.

    What is changed in place fits the parser at any time, also where somebody interrupts a correction.
    """
    if isinstance(parser.weights, OwnWeights):
        own = parser.weights
        is_ours = in_place
    else:
        try:
            own, is_ours = OwnWeights(*parser.frozen, len(parser.classes)), True
        except ValueError as error:
            raise HeadwayError(f"the weights of the model are damaged: {error}; train it again") from None
    if classes is not parser.classes:
        return own.renumbered(renumbered(parser.classes, classes), len(classes))
    return own if is_ours else own.copied()


def _classes_of(parser: TransitionParser, heads: Ints, names: list[str]) -> Classes:
    """The classes of a parser, or more of them where it has none for a transition of a tree."""
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
        return classes
    larger = Classes(labels, transitions, classes.two_step)
    if len(larger) > MOST_CLASSES:
        raise HeadwayError(f"the model has no room for the new label {labels[-1]!r}; train it again with this label")
    return larger


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
