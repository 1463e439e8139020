"""What a score counts: words, tokens or sentences of both files, which are right, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.evaluation.columns import Ints, Mask
from headway.evaluation.comparison import Comparison
from headway.evaluation.metrics.score import Score


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
