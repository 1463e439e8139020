"""Continue the training of a boosted parser: its models begin with what they know and keep a part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.learners.registry import kind_of, names
from headway.parsers.boosted.examples import ExamplesByFeature
from headway.parsers.boosted.explaining import assure_linear
from headway.parsers.boosted.labels import Labeller, learn_labels
from headway.parsers.boosted.linear import Floats, Keys, LinearModel, WeightEntries, linear_model
from headway.parsers.boosted.local import LinearLearner, learn, local_learner
from headway.stages.gold import Trees, encode_all, trees_among
from headway.training.continuing import continued_about

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker
    from headway.parsers.boosted.parser import BoostedParser


def continued(
    parser: BoostedParser, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> BoostedParser:
    """The parser with the mean of its weights and of those that it learns from more trees, beginning with its own.

    Each counts as much as it has words, new ones as often as there are passes; features that the new trees do not have
    stay. A batch learner cannot know what it would have learned from all trees in one piece. All examples are seen at
    once, so that only online learners shuffle them.
    """
    assure_linear(parser.linker)
    trees = trees_among(batches, parser.encoding, parser.names)
    about = continued_about(parser.about, batches, passes)
    before, new = int(parser.about["words"]), passes * len(trees.heads)
    share = new / (before + new)
    links, labels = (_learner(parser.about.get(name), seed) for name in ("learner", "label_learner"))
    return replace(
        parser,
        linker=_linked(parser.linker, batches, trees, links, share),
        labeller=_labelled(parser.labeller, batches, trees, labels, share),
        about=about,
    )


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


def _linked(linker: Linker, batches: Sequence[Batch], trees: Trees, learner: LinearLearner, share: float) -> Linker:
    """The linker with a model that has learned more; in a committee each member learns for itself."""
    encoded = encode_all(linker.templates, batches)  # type: ignore[arg-type]
    pairs = linker.examples(linker.nodes(encoded, trees.offsets), trees.heads)

    def learned(model: LinearModel) -> LinearModel:
        mixing = _Mixing(learner, share)
        return mixing.with_unseen(learn(pairs, np.ones(len(pairs)), mixing, begin=model), model)

    return linker.with_models([learned(cast(LinearModel, one.model)) for one in linker.members])


def _labelled(
    labeller: Labeller, batches: Sequence[Batch], trees: Trees, learner: LinearLearner, share: float
) -> Labeller:
    """The labeller with new labels and a model that has learned more."""
    mixing = _Mixing(learner, share)
    encoded = encode_all(labeller.templates, batches)  # type: ignore[arg-type]
    found = learn_labels(labeller.templates, encoded, trees, mixing, begin=labeller.model)
    return replace(found, model=mixing.with_unseen(found.model, labeller.model))
