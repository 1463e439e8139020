"""The second stage: labels of finished trees, each by a linear model that sees the tree and the labels before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway.data.batch import Ints
from headway.features.arcs import LabelTemplates
from headway.features.encode import Encoded
from headway.kernels.graph import labels as kernel
from headway.parsers.boosted.linear import Keys, LinearModel, Longs, WeightEntries, linear_model
from headway.parsers.boosted.local import LinearLearner
from headway.parsers.boosted.pair_features import columns_of
from headway.stages.calibration.evidence import Floats
from headway.stages.gold import Trees
from headway.stages.tree_stage import label_keys


@dataclass(frozen=True, eq=False)
class Labeller:
    """Gives each arc of a tree the best of its labels."""

    templates: LabelTemplates
    names: tuple[str, ...]
    model: LinearModel

    def label(
        self,
        encoded: Encoded,
        offsets: Ints,
        heads: Ints,
        evidence: Floats | None = None,
        scores: Floats | None = None,
    ) -> Ints:
        """Labels, as indices of names, how sure they are, and all scores. Runs without the interpreter's lock."""
        labels = np.zeros(len(heads), np.int32)
        if len(heads):
            model = self.model
            table = _table(self.templates, self.names, encoded)
            table.label(
                model.known, model.start, model.classes, model.weights, offsets, heads, labels, evidence, scores
            )
        return labels


def learn_labels(
    templates: LabelTemplates,
    encoded: Encoded,
    trees: Trees,
    learner: LinearLearner,
    *,
    begin: LinearModel | None = None,
) -> Labeller:
    """A labeller that has learned from the gold trees, beginning with another model or with nothing."""
    start, keys = label_features(templates, encoded, trees)
    columns = columns_of(start, keys, trees.labels)
    size = len(trees.names)
    weights = np.zeros((len(columns.keys), size)) if begin is None else begin.rows(columns.keys, size)
    learner.fit(columns, np.ones(len(trees.labels)), weights)
    return Labeller(templates, trees.names, linear_model([WeightEntries.of(columns.keys, weights)]))


def label_features(templates: LabelTemplates, encoded: Encoded, trees: Trees) -> tuple[Longs, Keys]:
    """The keys of the features of each word's label in the gold trees: keys[start[w] : start[w + 1]]."""
    table = _table(templates, trees.names, encoded)
    start = np.zeros(len(trees.heads) + 1, np.int64)
    gold = (trees.offsets, trees.heads, trees.labels)
    keys = np.empty(table.write(*gold, start, np.empty(0, np.uint64)), np.uint64)
    table.write(*gold, start, keys)
    return start, keys


def _table(templates: LabelTemplates, names: tuple[str, ...], encoded: Encoded) -> kernel.LabelTable:
    return kernel.LabelTable(templates.arrays.kernel, encoded.kernel, label_keys(names))
