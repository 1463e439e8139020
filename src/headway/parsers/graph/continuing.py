"""A graph parser that goes on from its state."""

from __future__ import annotations

from collections.abc import Sequence

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.parsers.graph import learning_state
from headway.parsers.graph.learning_state import HOW
from headway.parsers.graph.options import GraphOptions
from headway.parsers.graph.parser import GraphParser, width_of
from headway.parsers.graph.training import GraphTraining, TreeData
from headway.stages.gold import trees_among
from headway.training.continuing import continue_passes, learner_of, state_of
from headway.training.contract import Progress, unheard


def continued(
    parser: GraphParser,
    batches: Sequence[Batch],
    *,
    passes: int = 1,
    shuffle: bool = True,
    seed: int = 1,
    progress: Progress = unheard,
) -> GraphParser:
    """The parser after passes over more trees, with the learner that it was trained with.

    One pass without shuffling gives the same weights as if these trees had stood behind the others in one training of
    one pass, where they bring no new columns and labels. A row of weights has room for some new labels.
    """
    state, learner = state_of(parser.state), learner_of(parser.about)
    trees = trees_among(batches, parser.encoding, parser.labels)
    if width_of(parser.shape, trees.names) != parser.width:
        new = trees.names[-1]
        raise HeadwayError(f"the model has no room for the new label {new!r}; train it again with this label")
    how = {name: state.header[name] for name in HOW}
    shape = {name: getattr(parser.shape, name) for name in ("order", "labels")}
    options = GraphOptions(learner=learner, shuffle=shuffle, seed=seed, updatable=True, **shape, **how)
    data = TreeData(parser.shape, parser.encoding, trees, parser.templates, batches)
    training = GraphTraining(options, learner, data)
    learning_state.restore(state, (training.weights, training.sums, training.variances))
    training.steps = state.header["steps"]
    return continue_passes(training, parser, passes, progress)
