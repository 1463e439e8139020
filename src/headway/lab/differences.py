"""Differences in scores between two parsers: over all sentences of some treebanks, with p and an interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.evaluation.significance import p_of_counts
from headway.lab.metrics import AUC, BARE, counts_of, metric_of, testable
from headway.lab.point import unpacked_shares
from headway.lab.results import Cell

NORMAL = 1.959964
"""So many standard errors to both sides hold 95 per cent."""
Counts = NDArray[np.int64]


class Pair(NamedTuple):
    """Both sides of a comparison on a treebank."""

    treebank: str
    better: Cell
    worse: Cell


class ScoreDifference(NamedTuple):
    """How many points the better side is ahead over all words together, the ends of a 95 % interval, and p."""

    points: float
    low: float
    high: float
    p: float
    what: str = "{:+.2f} points over all words (95 % interval {:+.2f} to {:+.2f})"
    """How it is told."""

    def __str__(self) -> str:
        return self.what.format(self.points, self.low, self.high)


def p_value(pairs: Sequence[Pair], metric: str, punctuation: bool) -> float | None:
    """Whether two parsers differ by chance: approximate randomisation over the sentences of all pairs together.

    None where the journal has no words wrong by sentence, by the definition of the metric.
    """
    if metric == AUC:
        found = _auc_difference(pairs)
        return None if found is None else found.p
    counts = _counts(pairs, metric, punctuation)
    return None if counts is None else p_of_counts(*counts[:2])


def difference(pairs: Sequence[Pair], metric: str, punctuation: bool) -> ScoreDifference | None:
    """The difference with all that is known of it; the standard error is that of a sum over sentences."""
    if metric == AUC:
        return _auc_difference(pairs)
    counts = _counts(pairs, metric, punctuation)
    if counts is None:
        return None
    better, worse, words = counts
    ahead = worse - better
    spread = NORMAL * math.sqrt(len(ahead) * ahead.var(ddof=1)) if len(ahead) > 1 else math.inf
    points, half = (100 * number / words for number in (ahead.sum(), spread))
    return ScoreDifference(points, points - half, points + half, p_of_counts(better, worse))


def _counts(pairs: Sequence[Pair], metric: str, punctuation: bool) -> tuple[Counts, Counts, int] | None:
    """Words wrong by sentence on both sides, and all words; those of several seeds are added up.

    The sentences are the same with every seed, so that seeds make no more sentences of them. Where one side has more
    seeds, the other counts so much more.
    """
    if not testable(metric, punctuation):
        return None
    counts = counts_of(metric).removesuffix(BARE)
    sides: tuple[list[Counts], list[Counts]] = ([], [])
    words = 0
    for pair in pairs:
        both = [wrong_of(cell, counts) for cell in pair[1:]]
        if both[0] is None or both[1] is None or len(both[0]) != len(both[1]):
            return None
        sides[0].append(both[0] * len(pair.worse))
        sides[1].append(both[1] * len(pair.better))
        words += len(pair.worse) * sum(point.scores[counts_of(metric)][1] for point in pair.better)
    return np.concatenate(sides[0]), np.concatenate(sides[1]), words


def _auc_difference(pairs: Sequence[Pair]) -> ScoreDifference | None:
    """The mean difference over treebanks; its variance is that of what each sentence moves on both sides.

    None where the journal does not have that. What a sentence moves is the mean over seeds.
    """
    points, variance = 0.0, 0.0
    for pair in pairs:
        sides = [[unpacked_shares(point.influence) for point in cell if point.influence] for cell in pair[1:]]
        values = [metric_of(AUC).value(cell) for cell in pair[1:]]
        if values[0] is None or values[1] is None or len({len(one) for side in sides for one in side}) != 1:
            return None
        moved = np.mean(sides[0], axis=0) - np.mean(sides[1], axis=0)
        points += (values[0] - values[1]) / len(pairs)
        variance += float(moved @ moved) / (len(moved) * len(pairs)) ** 2
    error = math.sqrt(variance)
    p = math.erfc(abs(points) / error / math.sqrt(2)) if error else 1.0
    told = "a mean difference of {:+.4f} (95 % interval {:+.4f} to {:+.4f})"
    return ScoreDifference(points, points - NORMAL * error, points + NORMAL * error, p, told)


def wrong_of(cell: Cell, counts: str) -> Counts | None:
    """Words wrong by sentence, of all seeds together; None where they were not kept."""
    several = [wrong for point in cell if (wrong := point.wrong_in(counts)) is not None]
    if len(several) < len(cell) or len({len(one) for one in several}) != 1:
        return None
    together: Counts = np.sum(several, axis=0)
    return together
