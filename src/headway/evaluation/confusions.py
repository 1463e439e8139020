"""What is taken for what: confused labels, and the most frequent kinds of error."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from headway.evaluation.columns import Ints, TreebankColumns
from headway.evaluation.comparison import Comparison

ROOT = "ROOT"
"""What stands for the tag of the root."""


@dataclass(frozen=True)
class Confusion:
    """A gold label, the label in its place, how often, and how often all the same with the right head."""

    gold: str
    system: str
    count: int
    head_right: int


@dataclass(frozen=True)
class ErrorKind:
    """Words of a tag that should have gone to a head of one tag with one label, and went to another."""

    tag: str
    gold_head: str
    gold_label: str
    system_head: str
    system_label: str
    what: str
    """What is wrong: `head`, `label` or `both`."""
    count: int


def label_confusions(comparison: Comparison) -> list[Confusion]:
    """The pairs of different labels on aligned words that count, most frequent first."""
    gold, system = comparison.gold, comparison.system
    g, s = comparison.alignment.gold, comparison.alignment.system
    wrong = gold.counted[g] & ~gold.label_right[g]
    rows = np.stack([gold.labels[g], system.labels[s]], axis=1)[wrong]
    pairs, where, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    heads = np.bincount(where.ravel(), weights=gold.head_right[g][wrong], minlength=len(pairs)).astype(int)
    names = gold.columns.names
    texts = zip(names.strings(pairs[:, 0]), names.strings(pairs[:, 1]), counts.tolist(), heads.tolist(), strict=True)
    found = [Confusion(*row) for row in texts]
    return sorted(found, key=lambda confusion: (-confusion.count, confusion.gold, confusion.system))


def error_kinds(comparison: Comparison) -> list[ErrorKind]:
    """The kinds of error on aligned words that count, most frequent first.

    Tags are UPOS, or XPOS where the gold file has no UPOS; the tag of a head is that of its own file.
    """
    gold, system = comparison.gold, comparison.system
    g, s = comparison.alignment.gold, comparison.alignment.system
    wrong = gold.counted[g] & ~gold.right[g]
    g, s = g[wrong], s[wrong]
    head, label = ~gold.head_right[g], ~gold.label_right[g]
    columns = (
        gold.columns.tags[g],
        _head_tags(gold.columns)[g],
        gold.labels[g],
        _head_tags(system.columns)[s],
        system.labels[s],
        gold.columns.names.encode(np.where(head & label, "both", np.where(head, "head", "label")).tolist()),
    )
    rows, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    texts = (gold.columns.names.strings(column) for column in rows.T)
    found = [ErrorKind(*row) for row in zip(*texts, counts.tolist(), strict=True)]
    return sorted(found, key=lambda kind: (-kind.count, *astuple(kind)[:-1]))


def _head_tags(columns: TreebankColumns) -> Ints:
    with_root = np.append(columns.tags, np.int32(columns.names[ROOT]))
    return with_root[columns.parents]
