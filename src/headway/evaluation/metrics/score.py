"""One score: exact counts, and the fractions that follow from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


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
        if self.aligned is None:
            return {"correct": self.correct, "gold": self.gold, "system": self.system, **fractions}
        return {**asdict(self), **fractions, "aligned_accuracy": self.aligned_accuracy}


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
