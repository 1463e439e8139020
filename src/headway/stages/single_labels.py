"""Labels that stand at most once under a head, such as nsubj: which they are, and trees that keep to it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.layers import named
from headway.data.pseudoprojective import MARKS
from headway.kernels.trees.single_labels import doubled, settle
from headway.stages.calibration.evidence import Floats
from headway.stages.constraints import Constraints, restored_within
from headway.stages.tree_stage import Parsed

SHARE = 0.005
"""A label is single if it stands twice under a smaller share of its heads."""
FEWEST = round(1 / SHARE)
"""And if it has at least so many heads: fewer cannot tell."""
NO_WORDS, NO_MARGINS = np.empty(0, np.int32), np.empty(0, np.float32)
Numbers = NDArray[np.signedinteger[Any]]
LabelScores = Callable[[Ints], Floats]
"""From numbers of sentences to the scores of all labels for each of their words; -inf for what a word cannot have."""


class Settled(NamedTuple):
    """Trees with single labels, the words whose label had to change, and how far the new one was below the best."""

    parsed: Parsed
    words: Ints
    margins: Floats


def single_labels_in(batches: Iterable[Batch]) -> tuple[str, ...]:
    """The labels of a treebank that hardly ever stand twice under a head; the root may have any."""
    heads: dict[str, int] = {}
    doubled: dict[str, int] = {}
    for batch in batches:
        column = batch.bare.codes("DEPREL")
        under, times = _under_heads(batch.bare.heads, column.codes, len(column.names), batch.sentence_word)
        for label, count in zip((under % len(column.names)).tolist(), times.tolist(), strict=True):
            name = column.names[label]
            heads[name] = heads.get(name, 0) + 1
            doubled[name] = doubled.get(name, 0) + (count > 1)
    enough = (name for name, count in heads.items() if name != "_" and count >= FEWEST)
    return tuple(sorted(name for name in enough if doubled[name] < SHARE * heads[name]))


def allowing_doubled(stage: Any, wanted: Constraints) -> Any:
    """The parser without the rule for labels that a correction gives twice to a head."""
    single = getattr(stage, "single_labels", ())
    under = Counter((head, wanted.labels.get(word)) for word, head in wanted.required.items() if head)
    doubled = {name for (_, name), count in under.items() if count > 1}
    kept = tuple(name for name in single if name not in doubled)
    return stage if kept == single else replace(stage, single_labels=kept)


def words_of(offsets: Ints, sentences: Ints) -> tuple[Ints, Ints]:
    """The words of some sentences, and where each of these begins among them."""
    words = np.concatenate([np.arange(*offsets[s : s + 2], dtype=np.int32) for s in sentences])
    return words, np.cumsum([0, *(offsets[sentences + 1] - offsets[sentences])], dtype=np.int32)


def settled(
    parsed: Parsed,
    raw: Parsed,
    offsets: Ints,
    single: Sequence[str],
    label_scores: LabelScores,
    given: Collection[int] = (),
    longest: float = math.inf,
) -> Settled:
    """Trees in which single labels stand at most once under a head; sentences beyond the longest stay as they are.

    Of the words that have one twice, the one that would lose most keeps it. `raw` are the trees before arcs that were
    lifted were put back, whose labels `label_scores` rates; words that are `given` keep theirs.
    """
    nothing = Settled(parsed, NO_WORDS, NO_MARGINS)
    if not single:
        return nothing
    is_single = named(parsed.names).once(
        ("single", *single), lambda names: np.array([name in single for name in names], np.uint8)
    )
    heads, own = np.ascontiguousarray(parsed.heads, np.int32), np.ascontiguousarray(parsed.labels, np.int32)
    affected = np.array(doubled(is_single, heads, own, offsets), np.int32)
    affected = affected[offsets[affected + 1] - offsets[affected] <= longest]
    if not len(affected):
        return nothing
    scores = _of_finished(parsed, raw, words_of(offsets, affected)[0], label_scores(affected))
    labels, changed, margins = parsed.labels.copy(), [], []
    for s in affected.tolist():
        span = slice(*offsets[s : s + 2].tolist())
        before, own = labels[span], labels[span].copy()
        rows, scores = scores[: len(own)], scores[len(own) :]
        for word in given:
            kept = rows[word - 1, own[word - 1]]
            rows[word - 1] = -np.inf
            rows[word - 1, own[word - 1]] = kept
        settle(is_single, rows, np.ascontiguousarray(parsed.heads[span], np.int32), own)
        moved = np.flatnonzero(own != before)
        changed.append(moved + span.start)
        margins.append(rows[moved, own[moved]] - rows[moved, before[moved]])
        labels[span] = own
    every = np.concatenate(changed).astype(np.int32), np.concatenate(margins).astype(np.float32)
    return Settled(parsed._replace(labels=labels), *every)


def _of_finished(parsed: Parsed, raw: Parsed, words: Ints, scores: Floats) -> Floats:
    """The scores of labels of finished trees: none has a mark, and one that lost it has the score it was chosen by."""
    found = np.full((len(words), len(parsed.names)), -np.inf, np.float32)
    unmarked = [at for at, name in enumerate(raw.names) if not MARKS.search(name)]
    found[:, unmarked] = scores[:, unmarked]
    rows = np.arange(len(words))
    found[rows, parsed.labels[words]] = scores[rows, raw.labels[words]]
    return found


def settled_within(
    raw: Parsed, encoding: str | None, single: Sequence[str], label_scores: LabelScores, constraints: Constraints
) -> Parsed:
    """The tree of one sentence under constraints, with arcs put back; the labels that are given win."""
    found = raw if encoding is None else restored_within(raw, encoding, constraints)
    number, labels = {name: at for at, name in enumerate(found.names)}, found.labels.copy()
    for word, name in constraints.labels.items():
        labels[word - 1] = number.get(name, labels[word - 1])
    offsets = np.array([0, len(labels)], np.int32)
    return settled(found._replace(labels=labels), raw, offsets, single, label_scores, constraints.labels).parsed


def _under_heads(heads: Ints, labels: Ints, count: int, offsets: Ints) -> tuple[Numbers, Numbers]:
    """For each word and label under it a number that is the label modulo `count`, and how many there are."""
    words = np.flatnonzero(heads > 0)
    sentence = np.searchsorted(offsets, words, side="right") - 1
    return np.unique((offsets[sentence].astype(np.int64) + heads[words]) * count + labels[words], return_counts=True)
