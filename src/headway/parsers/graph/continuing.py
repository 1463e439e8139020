"""Continue the training of a graph parser from the state that it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.parsers.graph.options import GraphOptions
from headway.parsers.graph.parser import STATE, GraphParser
from headway.parsers.graph.training import GraphTraining
from headway.parsers.graph.training_data import TreeData
from headway.parsers.graph.updating import with_labels
from headway.stages.gold import trees_among
from headway.training.continuing import LearningState, continue_passes, learner_of, state_of

Floats = NDArray[np.float32]


def continued(
    parser: GraphParser, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> GraphParser:
    """The parser after passes over more trees, with the learner that it was trained with.

    One pass without shuffling gives the same weights as if these trees had stood behind the others in one training of
    one pass, where they bring no new columns and labels. A row of weights has room for some new labels.
    """
    state, learner = state_of(parser.state), learner_of(parser.about)
    trees = trees_among(batches, parser.encoding, parser.labels)
    with_labels(parser, trees.names)
    how: dict[str, Any] = {name: state.header[name] for name in STATE.options}
    how |= {name: getattr(parser.shape, name) for name in ("order", "labels")}
    options = GraphOptions(learner=learner, shuffle=shuffle, seed=seed, updatable=True, **how)
    training = GraphTraining(
        options, learner, TreeData(parser.shape, parser.encoding, trees, parser.templates, batches)
    )
    _restore(state, (training.weights, training.sums, training.variances))
    training.steps = state.header["steps"]
    return continue_passes(training, parser, batches, passes)


def _restore(state: LearningState, arrays: tuple[Floats, Floats, Floats]) -> None:
    """Write the numbers of a state into weights, sums and variances as they began."""
    places = np.array(state.arrays["places"], np.int64)
    for name, array in zip([*STATE.arrays][1:], arrays, strict=True):
        own = state.arrays[name]
        if len(own) != (len(places) if len(array) else 0) or (len(array) and places.max(initial=0) >= len(array)):
            raise HeadwayError(f"the state of the model is damaged ({name} do not fit places); train it again")
        if len(array):
            array[places] = own
