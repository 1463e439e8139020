"""LAS, UAS, label accuracy, DA, RA, UCM and LCM: the scores of trees that every definition has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headway.data.batch import Batch
from headway.evaluation.columns import Mask
from headway.evaluation.comparison import ComparedFile, Comparison
from headway.evaluation.definitions import Definition, is_punctuation, without_subtype
from headway.evaluation.scores import CountedItems, marked, sentences, words


def attachment(comparison: Comparison) -> dict[str, CountedItems]:
    """What LAS, UAS and label accuracy (LA) count: the words that count."""
    gold = comparison.gold
    return words(comparison, {"LAS": gold.right, "UAS": gold.head_right, "LA": gold.label_right})


def sentence_scores(comparison: Comparison) -> dict[str, CountedItems]:
    """What DA, RA, UCM and LCM count, the scores of Yamada and Matsumoto (2003).

    DA, dependency accuracy: heads right, over all words, punctuation too. RA, root accuracy: sentences whose
    root words are the gold ones, punctuation too. UCM and LCM, complete match: sentences in which every word
    that counts has the right head, or head and label; one in which no word counts is right. Where sentences
    may be cut differently, one that the system does not have is wrong.
    """
    gold, system = comparison.gold, comparison.system
    ours, theirs = comparison.alignment.gold_sentences, comparison.alignment.system_sentences
    lengths = np.diff(gold.columns.first)[ours] == np.diff(system.columns.first)[theirs]
    roots, system_roots = gold.columns.heads == 0, system.columns.heads == 0
    found = per_sentence(gold, roots & gold.head_right)[ours]
    same_roots = (per_sentence(gold, roots)[ours] == found) & (per_sentence(system, system_roots)[theirs] == found)
    wrong = {"UCM": gold.counted & ~gold.head_right, "LCM": gold.counted & ~gold.right}
    matches = {"RA": same_roots}
    matches |= {name: (per_sentence(gold, mask)[ours] == 0) & lengths for name, mask in wrong.items()}
    every = (np.ones(len(side.columns), np.bool_) for side in (gold, system))
    return {
        **words(comparison, {"DA": gold.head_right}, *every),
        **{name: sentences(comparison, marked(ours, right, gold.columns.sentences)) for name, right in matches.items()},
    }


def per_sentence(side: ComparedFile, mask: Mask) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many words of each sentence are in the mask."""
    return np.bincount(side.columns.sentence[mask], minlength=side.columns.sentences)


def right_words(gold: Batch, found: Batch, definition: Definition) -> tuple[Mask, Mask]:
    """Which words have the right head, and which of these the right label, where both batches have the same words."""
    labels = [gold.column("DEPREL"), found.column("DEPREL")]
    if not definition.subtypes:
        labels = [list(map(without_subtype, some)) for some in labels]
    heads = gold.heads == found.heads
    return heads, heads & same_cells(*labels)


def counted_words(batch: Batch, definition: Definition) -> Mask:
    """Which words of a batch count: all, or all but punctuation."""
    if definition.punctuation:
        return np.ones(len(batch.heads), np.bool_)
    return np.array([not is_punctuation(form) for form in batch.column("FORM")], np.bool_)


def same_cells(gold: Sequence[str], found: Sequence[str]) -> Mask:
    """Where two columns have the same cell."""
    return np.asarray(np.array(gold, object) == np.array(found, object), np.bool_)
