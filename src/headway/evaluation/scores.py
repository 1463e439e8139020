"""What scores count, which of it is right and where it stands; and a score: exact counts, and their fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.evaluation.columns import Ints, Mask
from headway.evaluation.comparison import Comparison


@dataclass(frozen=True)
class Score:
    """How many are right, of how many in the gold file and in the system file.

    >>> score = Score(correct=3, gold=4, system=4)
    >>> print(score, score.f1, float(score))
    75.00 0.75 75.0

    Where both files have the same words, precision, recall and F1 are one number, the accuracy. `aligned`
    counts the gold words that have a partner, where words had to be aligned.
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """The part of the system's that is right; 0 where it has none."""
        return fraction(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The part of the gold ones that the system has; 0 where there are none."""
        return fraction(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return fraction(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        """The part of the aligned words that is right; None where nothing was aligned."""
        return self.correct / self.aligned if self.aligned else None

    def __float__(self) -> float:
        """F1 in per cent, not rounded."""
        return 100 * self.f1

    def __str__(self) -> str:
        """F1 in per cent."""
        return f"{float(self):.2f}"

    def to_dict(self) -> dict[str, Any]:
        """Counts and fractions, for JSON."""
        fractions = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        found = {**asdict(self), **fractions, "aligned_accuracy": self.aligned_accuracy}
        return {name: value for name, value in found.items() if self.aligned is not None or "aligned" not in name}


@dataclass(frozen=True)
class Accuracy(Score):
    """A score of two files with the same words, printed as eval.pl of CoNLL-X does, by the words that are wrong.

    At a tie between two roundings the part that is right, in per cent, may be rounded the other way:

    >>> print(Score(23, 160, 160), Accuracy(23, 160, 160))
    14.37 14.38
    """

    def __float__(self) -> float:
        """The part that is right, in per cent, not rounded."""
        return 100 - (self.gold - self.correct) * 100.0 / self.gold if self.gold else 0.0


def fraction(count: int, of: int) -> float:
    """A part of a whole; 0 of nothing."""
    return count / of if of else 0.0


@dataclass(frozen=True, eq=False)
class Tally(ShortRepr):
    """For each gold sentence: words right, words of the gold file, words of the system's; all that count."""

    correct: NDArray[np.int64]
    gold: NDArray[np.int64]
    system: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CountedItems(ShortRepr):
    """The items of the gold file that count, in order, and those of the system."""

    right: Mask
    """Of each gold item, whether the system has it right."""
    home: Ints
    """The sentence of each gold item, ..."""
    system_home: Ints
    """... and the gold sentence in which each item of the system begins."""
    aligned: int | None = None
    """How many gold items have a partner, where words were aligned."""

    @property
    def score(self) -> Score:
        """The score of the whole file."""
        return Score(int(self.right.sum()), len(self.home), len(self.system_home), self.aligned)

    def tally(self, sentences: int) -> Tally:
        """The counts of each gold sentence."""
        places = (self.home[self.right], self.home, self.system_home)
        return Tally(*(np.bincount(place, minlength=sentences) for place in places))


def words(
    comparison: Comparison,
    right: Mapping[str, Mask],
    gold: Mask | None = None,
    system: Mask | None = None,
    aligned: Mask | None = None,
) -> dict[str, CountedItems]:
    """Words of both files for scores that differ in what is `right`, by default those that count.

    All masks are over the words of a file.
    """
    ours = comparison.gold.counted if gold is None else gold
    theirs = comparison.system.counted if system is None else system
    partners = None if aligned is None else int((aligned & ours).sum())
    places = comparison.gold.columns.sentence[ours], comparison.alignment.home[theirs], partners
    return {name: CountedItems(mask[ours], *places) for name, mask in right.items()}


def sentences(comparison: Comparison, right: Mask) -> CountedItems:
    """All sentences; `right` has a cell for each gold one."""
    numbers = np.arange(comparison.gold.columns.sentences, dtype=np.int32)
    return CountedItems(right, numbers, comparison.alignment.home[comparison.system.columns.first[:-1]])


def marked(places: Ints, right: Mask | bool, length: int) -> Mask:
    """A mask that is `right` at some places, and false elsewhere."""
    found = np.zeros(length, np.bool_)
    found[places] = right
    return found
