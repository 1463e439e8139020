"""Why a boosted parser took the labels that it took: each beside the best other one."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from headway.data.batch import Batch, Ints
from headway.data.trees import labels_before
from headway.features.naming import SeenNodes, SentenceCells, TemplateNames
from headway.kernels.boosted.tree_labels import EVERY_ARC
from headway.kernels.graph.explaining import label_view
from headway.kernels.text import encode as encoding
from headway.parsers.boosted.labels import Labeller
from headway.parsers.boosted.linear import Keys
from headway.stages.explanation.contract import Decision


class TreeLabelExplainer:
    """The labels of one finished tree."""

    def __init__(self, labeller: Labeller, batch: Batch, heads: Ints, labels: Ints | None = None) -> None:
        """Explain the labels that the model finds for a tree, or other ones."""
        self.labeller, self.cells, self.heads = labeller, SentenceCells(batch), heads
        encoded = self.labeller.templates.encode(batch)
        self.labels = self.labeller.label(encoded, batch.sentence_word, heads) if labels is None else labels
        self.words = encoded.kernel
        keys = [encoding.key_of(name.encode()) for name in self.labeller.names]
        self.keys = np.array(keys, np.uint64)

    @cached_property
    def names(self) -> TemplateNames:
        """The names of the features of labels."""
        templates = self.labeller.templates
        return TemplateNames(templates.features, templates.columns, templates.arrays._asdict(), self.labeller.names)

    def view(self, word: int) -> tuple[SeenNodes, Keys]:
        """What the features of a word's label see, and their keys; the first is that of every arc."""
        before = labels_before(self.heads.tolist(), self.labels, word)
        *found, keys = label_view(
            *(self.labeller.templates.arrays.kernel, self.words, self.keys, 0, self.heads, before),
            *(int(self.heads[word - 1]), word),
        )
        return SeenNodes(*found), np.concatenate([[np.uint64(EVERY_ARC)], keys])

    def label(self, word: int, right: int | None = None) -> Decision:
        """The label of a word beside the best other one, or the right one."""
        labeller, chosen = self.labeller, int(self.labels[word - 1])
        view, keys = self.view(word)
        weights = labeller.model.rows(keys, len(labeller.names))
        scores = weights.sum(axis=0)
        rivals = [at for at in range(len(labeller.names)) if at != chosen]
        rival = max(rivals, key=lambda at: scores[at]) if rivals else None
        rival = rival if right is None else right
        return Decision(
            kind="label",
            word=word,
            what=f"label {labeller.names[chosen]}",
            over=None if rival is None else f"label {labeller.names[rival]}",
            score=float(scores[chosen]),
            rival_score=None if rival is None else float(scores[rival]),
            given=weights[:, chosen],
            against=np.zeros(len(weights)) if rival is None else weights[:, rival],
            name=lambda at: "every arc" if at == 0 else self.names.name_of(self.cells, view, at - 1),
            ids=keys,
        )
