"""Continue the training of a transition parser from the state that it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.kernels.weights.table import Weights
from headway.learners.online import Online
from headway.parsers.transition.classes import Classes, transition_counts
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.training import TransitionTraining
from headway.parsers.transition.training_data import TreeData
from headway.parsers.transition.updating import renumbered
from headway.stages.gold import trees_among
from headway.training.continuing import LearningState, continue_passes, learner_of, state_of
from headway.training.passes import STATE, weights_state


def continued(
    parser: TransitionParser,
    batches: Sequence[Batch],
    *,
    passes: int = 1,
    shuffle: bool = True,
    seed: int = 1,
) -> TransitionParser:
    """The parser after passes over more trees, with the learner that it was trained with.

    One pass without shuffling gives the same weights as if these trees had stood behind the others in one training of
    one pass, where they bring no new columns and labels. The first pass follows the gold trees, as in training.
    """
    state, learner = state_of(parser.state), learner_of(parser.about)
    trees = trees_among(batches, parser.encoding, parser.classes.labels)
    classes = parser.classes.enlarged(trees.names, transition_counts(parser.system, trees))
    data = TreeData(batches, parser.system, parser.encoding, trees, classes)
    options = TransitionOptions(
        learner=learner,
        system=parser.system.name,
        two_step=parser.classes.two_step,
        explore=state.header["exploration"] or None,
        prune=state.header["smallest"],
        shuffle=shuffle,
        seed=seed,
        updatable=True,
    )
    training = TransitionTraining(options, learner, data, parser.templates)
    training.weights = _restored(state, parser.classes, data.classes, learner)
    training.steps = state.header["steps"]
    return replace(continue_passes(training, parser, batches, passes), root_label=parser.root_label)


def _restored(state: LearningState, before: Classes, after: Classes, learner: Online) -> Weights:
    """The weights of a state, for the classes that there are now."""
    arrays = {name: np.ascontiguousarray(state.arrays[name]) for name in STATE}
    for wrong in weights_state(len(before), learner, {}).wrong({}, arrays):
        raise HeadwayError(f"the state of the model is damaged ({wrong}); train it again")
    if len(after) != len(before):
        arrays["classes"] = renumbered(before, after)[arrays["classes"]].astype(np.uint16)
    weights = Weights(
        len(after),
        variance=learner.variance,
        average=learner.average,
        initial=learner.initial_variance,
        room=max(1 << 16, len(arrays["keys"])),
    )
    try:
        weights.restore(*(arrays[name] for name in STATE))
    except ValueError as error:
        raise HeadwayError(f"the state of the model is damaged ({error}); train it again") from None
    return weights
