"""Learn from corrections, by steps towards a tree of one sentence, and from more trees, by more passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.transition.updating import step_towards
from headway.kernels.weights.updating import OwnWeights
from headway.parsers.transition.classes import Classes, transition_counts
from headway.stages.constraints import Constraints
from headway.stages.contract import Packed
from headway.stages.gold import Trees, trees_among
from headway.stages.updating import Learned, update_until_right
from headway.training.passes import STATE, continue_passes, learner_of, state_of, weights_state

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser

MARGIN = 0.1
"""By how much right transitions are to win at least after a step, chosen on development data."""


def updated(parser: TransitionParser, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The parser after at most ten rounds of steps towards a tree that has what is wanted."""
    encoded, longest = parser.templates.encode(batch), max(1, len(batch.word_line))

    def steps(heads: Ints, names: list[str]) -> Iterator[TransitionParser]:
        tree, known = np.ascontiguousarray(heads, np.int32), parser.classes.labels
        every = (*known, *sorted(set(names) - set(known)))
        labels = np.array([every.index(name) for name in names], np.int32)
        trees = Trees(np.array([0, len(tree)], np.int32), tree, labels, every)
        classes = parser.classes.enlarged(every, transition_counts(parser.system, trees))
        own = _own_weights(parser, classes, in_place)
        learning = replace(parser, classes=classes, weights=own)
        ready = learning.with_free_roots().setup(encoded, longest)
        for rounds in count(1):
            step_towards(ready, own, tree, labels, MARGIN * rounds)
            yield learning

    return update_until_right(
        parser, batch, wanted, parsed=lambda one: one.trees_of_words(encoded, batch.sentence_word), steps=steps
    )


def _own_weights(parser: TransitionParser, classes: Classes, in_place: bool) -> OwnWeights:
    """Weights to change: those of the parser where that may be, else a copy, which knows new classes.

    What is changed in place fits the parser at any time, also where somebody interrupts a correction.
    """
    if in_place and isinstance(parser.weights, OwnWeights):
        own = parser.weights
    else:
        own = OwnWeights.of_others(parser.weights)
    if classes is not parser.classes:
        return own.with_classes(renumbered(parser.classes, classes), len(classes))
    return own


def continued(
    parser: TransitionParser, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> TransitionParser:
    """The parser after passes over more trees, with the learner that it was trained with.

    One pass without shuffling gives the same weights as if these trees had stood behind the others in one training of
    one pass, where they bring no new columns and labels. The first pass follows the gold trees, as in training.
    """
    from headway.parsers.transition.options import TransitionOptions
    from headway.parsers.transition.training import TransitionTraining, TreeData

    state, learner = state_of(parser.state), learner_of(parser.about)
    trees = trees_among(batches, parser.encoding, parser.classes.labels)
    before, classes = parser.classes, parser.classes.enlarged(trees.names, transition_counts(parser.system, trees))
    options = TransitionOptions(
        learner=learner,
        system=parser.system.name,
        two_step=before.two_step,
        explore=state.header["exploration"] or None,
        prune=state.header["smallest"],
        shuffle=shuffle,
        seed=seed,
        updatable=True,
    )
    data = TreeData(batches, parser.system, parser.encoding, trees, classes)
    training = TransitionTraining(options, learner, data, parser.templates)
    arrays = {name: np.ascontiguousarray(state.arrays[name]) for name in STATE}
    for wrong in weights_state(len(before), learner, {}).wrong({}, arrays):
        raise HeadwayError(f"the state of the model is damaged ({wrong}); train it again")
    if len(classes) != len(before):
        arrays["classes"] = renumbered(before, classes)[arrays["classes"]].astype(np.uint16)
    try:
        training.restore(Packed(state.header, arrays))
    except ValueError as error:
        raise HeadwayError(f"the state of the model is damaged ({error}); train it again") from None
    return replace(continue_passes(training, parser, batches, passes), root_label=parser.root_label)


def renumbered(before: Classes, after: Classes) -> Ints:
    """For each class its number among more classes."""
    number = after.number.reshape(len(ACTION_NAMES), -1)
    pairs = before.labelled if before.two_step else before.transitions
    actions = range(len(ACTION_NAMES)) if before.two_step else ()
    return np.array([*actions, *(number[action, label + 1] for action, label in pairs)], np.int32)
