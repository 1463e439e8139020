"""Two analyses of the same text, word by word: which heads and labels are right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway.base.short_repr import ShortRepr
from headway.evaluation.alignment import Alignment, same_characters, same_words
from headway.evaluation.columns import Ints, Mask, Source, TreebankColumns, readable_in_all, treebank_columns
from headway.evaluation.definitions import Definition, definition_for, is_punctuation, without_subtype


@dataclass(frozen=True, eq=False)
class ComparedFile(ShortRepr):
    """One of the two files as a definition sees it; each array has a cell for every word of this file."""

    columns: TreebankColumns
    labels: Ints
    """The labels as they are compared."""
    counted: Mask
    """The words that count."""
    head_right: Mask
    label_right: Mask

    @property
    def right(self) -> Mask:
        """Head and label."""
        return self.head_right & self.label_right


@dataclass(frozen=True, eq=False)
class Comparison(ShortRepr):
    """A gold file and a system's, aligned; `gold.head_right[w]`: whether the system gave word w its head."""

    definition: Definition
    alignment: Alignment
    gold: ComparedFile
    system: ComparedFile


def compare(
    gold: Source, system: Source, *, definition: str | Definition | None = None, punctuation: bool | None = None
) -> Comparison:
    """Align two files, lists of sentences or of batches, and compare their trees. O(n).

    `definition` is one, or a name of `definitions.DEFINITIONS`, by default the one that suits the gold format. Call
    `treebank_columns` first for a gold file that is compared several times. Sentences that a reader left out of one
    file are left out of the other too.
    """
    ours = treebank_columns(gold)
    ours, theirs = readable_in_all([ours, treebank_columns(system, ours.names)])
    chosen = (
        definition
        if isinstance(definition, Definition)
        else definition_for(ours.format, definition, punctuation=punctuation)
    )
    alignment = same_words(ours, theirs) if chosen.same_words else same_characters(ours, theirs)
    labels, their_labels = _labels(ours, chosen), _labels(theirs, chosen)
    pairs = alignment.gold, alignment.system
    partners = np.full(len(theirs) + 1, -1, np.int32)  # The root's partner is the root, -1 is none.
    partners[pairs[1]], partners[-1] = pairs[0], len(ours)
    heads = ours.parents[pairs[0]] == partners[theirs.parents][pairs[1]]
    same_labels = labels[pairs[0]] == their_labels[pairs[1]]
    return Comparison(
        chosen,
        alignment,
        ComparedFile(ours, labels, *_masks(ours, chosen, pairs[0], heads, same_labels)),
        ComparedFile(theirs, their_labels, *_masks(theirs, chosen, pairs[1], heads, same_labels)),
    )


def _labels(columns: TreebankColumns, definition: Definition) -> Ints:
    whole = columns.deprels
    return whole if definition.subtypes else columns.names.translate(whole, without_subtype)


def _masks(columns: TreebankColumns, definition: Definition, places: Ints, heads: Mask, labels: Mask) -> list[Mask]:
    """For all words of a file: which count, and which have the right head, the right label.

    `heads` and `labels` say it of the aligned words, which stand at `places`; words without a partner are wrong.
    """
    counted, head_right, label_right = np.ones(len(columns), np.bool_), *np.zeros((2, len(columns)), np.bool_)
    if not definition.punctuation:
        counted = ~columns.names.test(columns.forms, is_punctuation)
    head_right[places], label_right[places] = heads, labels
    return [counted, head_right, label_right]
