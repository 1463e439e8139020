"""Where the errors are: scores by label, tag, arc length, direction and so on; confused labels and kinds of error.

As in McDonald and Nivre (2007), recall is over the words that have a value in the gold tree, precision over
those that have it in the system's tree. Only words that count under the definition are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.data.trees import Shapes, shapes
from headway.evaluation.columns import Ints, Mask, TreebankColumns
from headway.evaluation.comparison import ComparedFile, Comparison
from headway.evaluation.scores import fraction

LENGTHS = (1, 2, 3, 7)
SENTENCE_LENGTHS = (1, 11, 21, 31, 41, 51)
NOT_EVAL_PL = (
    "This is not the table of the CoNLL-X eval.pl: that counts a word as right where the system's head stands on the "
    "same side, or as far away, whichever word it is. Here head and label must be right."
)
"""What a reader must know who compares a breakdown with the output of eval.pl."""


@dataclass(frozen=True)
class ScoredGroup:
    """The words that share a value; `head_right` and the two after it count among the gold ones."""

    value: str
    gold: int
    system: int
    head_right: int
    label_right: int
    right: int
    right_in_system: int
    """Of the words that have the value in the system's tree, those with the right head and label."""

    @property
    def uas(self) -> float:
        """The part of the gold words with the right head."""
        return fraction(self.head_right, self.gold)

    @property
    def la(self) -> float:
        """The part of the gold words with the right label."""
        return fraction(self.label_right, self.gold)

    @property
    def recall(self) -> float:
        """The part of the gold words with the right head and label, their LAS."""
        return fraction(self.right, self.gold)

    @property
    def precision(self) -> float:
        """The part of the system's words with the right head and label."""
        return fraction(self.right_in_system, self.system)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Counts and fractions, for JSON."""
        fractions = ("uas", "la", "precision", "recall", "f1")
        return asdict(self) | {name: getattr(self, name) for name in fractions}


@dataclass(frozen=True)
class Breakdown:
    """A way to group words: every word has a key, every key a name; in the order of keys, or by count."""

    title: str
    keys: Callable[[ComparedFile], Ints]
    shown: Callable[[TreebankColumns, int], str]
    by_count: bool = False
    note: str = ""
    """What to know of the table where it stands on a page."""


def _distance(side: ComparedFile) -> Ints:
    """How far to the right the head is, negative where it stands before the word; 0 for roots."""
    heads = side.columns.heads
    return np.where(heads > 0, heads - side.columns.position, np.int32(0))


def _shapes(side: ComparedFile) -> Shapes:
    return shapes(side.columns.heads, side.columns.first)


def _name(columns: TreebankColumns, key: int) -> str:
    return columns.names.known[key]


def _in_buckets(title: str, of: Callable[[ComparedFile], Ints], starts: tuple[int, ...], note: str = "") -> Breakdown:
    """By the bucket of each word's value, from 1; 0 for values below the first, which are roots."""

    def shown(columns: TreebankColumns, key: int) -> str:
        if key in (0, len(starts)):
            return "root" if key == 0 else f"{starts[-1]}+"
        first, last = starts[key - 1], starts[key] - 1
        return str(first) if first == last else f"{first}–{last}"

    return Breakdown(title, lambda side: np.searchsorted(starts, of(side), "right").astype(np.int32), shown, note=note)


BREAKDOWNS = {
    "label": Breakdown("Label", lambda side: side.labels, _name, by_count=True),
    "upos": Breakdown("UPOS", lambda side: side.columns.upos, _name, by_count=True),
    "xpos": Breakdown("XPOS", lambda side: side.columns.xpos, _name, by_count=True),
    "length": _in_buckets("Arc length", lambda side: np.abs(_distance(side)), LENGTHS, NOT_EVAL_PL),
    "exact-length": Breakdown(
        "Arc length, exact", lambda side: np.abs(_distance(side)), lambda columns, key: str(key) if key else "root"
    ),
    "distance": Breakdown(
        "Distance of the head, − before the word",
        _distance,
        lambda columns, key: f"{key:+d}" if key else "root",
        note=NOT_EVAL_PL,
    ),
    "direction": Breakdown(
        "Side of the head",
        lambda side: np.array([0, 2, 1], np.int32)[np.sign(_distance(side))],
        lambda columns, key: ("root", "left", "right")[key],
        note=NOT_EVAL_PL,
    ),
    "depth": Breakdown("Depth (1 is a root)", lambda side: _shapes(side).depths, lambda columns, key: str(key)),
    "sentence-length": _in_buckets(
        "Words in the sentence", lambda side: np.diff(side.columns.first)[side.columns.sentence], SENTENCE_LENGTHS
    ),
    "projectivity": Breakdown(
        "Projectivity of the arc",
        lambda side: _shapes(side).nonprojective.astype(np.int32),
        lambda columns, key: ("projective", "non-projective")[key],
    ),
}


def groups(comparison: Comparison, name: str) -> list[ScoredGroup]:
    """The scores by a breakdown of `BREAKDOWNS`. O(n log n)."""
    if name not in BREAKDOWNS:
        raise HeadwayError(f"unknown breakdown {name!r}; {known(BREAKDOWNS)}")
    rule = BREAKDOWNS[name]
    gold, system = comparison.gold, comparison.system
    keys = np.concatenate([rule.keys(gold), rule.keys(system)])
    values, where = np.unique(keys, return_inverse=True)

    def count(places: NDArray[np.integer], mask: Mask) -> list[int]:
        counted: list[int] = np.bincount(places[mask], minlength=len(values)).tolist()
        return counted

    ours, theirs = where[: len(gold.columns)], where[len(gold.columns) :]
    columns = (
        count(ours, gold.counted),
        count(theirs, system.counted),
        count(ours, gold.counted & gold.head_right),
        count(ours, gold.counted & gold.label_right),
        count(ours, gold.counted & gold.right),
        count(theirs, system.counted & system.right),
    )
    shown = [rule.shown(gold.columns, key) for key in values.tolist()]
    found = [ScoredGroup(*row) for row in zip(shown, *columns, strict=True) if row[1] or row[2]]
    return sorted(found, key=lambda group: (-group.gold, group.value)) if rule.by_count else found


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
