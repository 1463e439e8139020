"""Differences between two parsers, or of one on two treebanks, each with a 95 % interval: scores, AUC, costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.evaluation.significance import p_of_counts
from headway.lab.metrics import AUC, BARE, SHARES, counts_of, metric_of, testable, unpacked
from headway.lab.results import Cell

NORMAL = 1.959964
"""So many standard errors to both sides hold 95 per cent."""
LEVEL = 0.05
"""A difference counts where chance alone makes one as large less often."""
SMALLEST = 0.005
"""Costs are at least this, as a journal rounds them to hundredths."""
SPEED = "parsing words/s"
Counts = NDArray[np.int64]
Pair = Sequence[Cell]
"""Both sides of a comparison on a treebank, the one that should be better first."""


class Difference(NamedTuple):
    """How far the better side is ahead, or how many times better it is, the ends of a 95 % interval, and p."""

    value: float
    low: float
    high: float
    p: float = math.nan


def difference(pairs: Sequence[Pair], metric: str, punctuation: bool) -> Difference | None:
    """How many points the better side is ahead over the words of all pairs together; the mean difference in AUC.

    p is by approximate randomisation over sentences, the standard error that of a sum over sentences. None where the
    journal has no words wrong by sentence, by the definition of the metric.
    """
    if metric == AUC:
        return _auc_difference(pairs)
    if not testable(metric, punctuation):
        return None
    counts = counts_of(metric).removesuffix(BARE)
    sides: tuple[list[Counts], list[Counts]] = ([], [])
    words = 0
    for pair in pairs:
        both = [wrong_of(cell, counts) for cell in pair]
        if both[0] is None or both[1] is None or len(both[0]) != len(both[1]):
            return None
        # Where one side has more seeds, the other counts so much more.
        sides[0].append(both[0] * len(pair[1]))
        sides[1].append(both[1] * len(pair[0]))
        words += len(pair[1]) * _words(pair[0], metric)
    better, worse = map(np.concatenate, sides)
    ahead = worse - better
    spread = NORMAL * math.sqrt(len(ahead) * ahead.var(ddof=1)) if len(ahead) > 1 else math.inf
    points, half = (100 * number / words for number in (ahead.sum(), spread))
    return Difference(points, points - half, points + half, p_of_counts(better, worse))


def _auc_difference(pairs: Sequence[Pair]) -> Difference | None:
    """The mean difference over treebanks; its variance is that of what each sentence moves on both sides.

    None where the journal does not have that. What a sentence moves is the mean over seeds.
    """
    points, variance = 0.0, 0.0
    for pair in pairs:
        sides = [[unpacked(point.influence, SHARES) for point in cell if point.influence] for cell in pair]
        values = [metric_of(AUC).of(cell) for cell in pair]
        if values[0] is None or values[1] is None or len({len(one) for side in sides for one in side}) != 1:
            return None
        moved = np.mean(sides[0], axis=0) - np.mean(sides[1], axis=0)
        points += (values[0] - values[1]) / len(pairs)
        variance += float(moved @ moved) / (len(moved) * len(pairs)) ** 2
    error = math.sqrt(variance)
    p = math.erfc(abs(points) / error / math.sqrt(2)) if error else 1.0
    return Difference(points, points - NORMAL * error, points + NORMAL * error, p)


def domain_loss(cells: Sequence[Cell], metric: str, punctuation: bool) -> Difference | None:
    """How many points a parser loses from one treebank to another.

    The treebanks have different sentences, so that the errors of both add up: that of the words wrong per sentence,
    long ones and short ones alike, which makes the interval rather too wide.
    """
    variance = 0.0
    for cell in cells:
        wrong = wrong_of(cell, counts_of(metric).removesuffix(BARE)) if testable(metric, punctuation) else None
        if wrong is None or len(wrong) < 2:
            return None
        variance += len(wrong) * float(wrong.var(ddof=1)) / _words(cell, metric) ** 2
    first, second = (metric_of(metric).of(cell) or 0.0 for cell in cells)
    half = NORMAL * 100 * math.sqrt(variance)
    return Difference(first - second, first - second - half, first - second + half)


def _words(cell: Cell, metric: str) -> int:
    return sum(point.scores[counts_of(metric)][1] for point in cell)


def wrong_of(cell: Cell, counts: str) -> Counts | None:
    """Words wrong by sentence, of all seeds together, which make no more sentences; None where they were not kept."""
    several: list[Counts] = [unpacked(point.wrong[counts]) for point in cell if point.wrong and counts in point.wrong]
    whole = len(several) == len(cell) and len({len(one) for one in several}) == 1
    return np.sum(several, axis=0, dtype=np.int64) if whole else None


def ratios(metric: str, pairs: Sequence[Pair]) -> list[Difference] | None:
    """How many times better one side is in a cost, on each treebank; None where nothing was measured twice.

    Logarithms of repeats are taken as normal with the same variance on all treebanks and on both sides, so that it is
    estimated from all of them; that of a difference of means then gives the interval by Student's t.
    """
    sign = -1 if metric_of(metric).lower else 1

    def repeats(cell: Cell) -> list[float]:
        """Logarithms of what a cost came to: for each seed, or with one seed in each run of the parser."""
        if metric == SPEED and len(cell) == 1:
            values: list[float | None] = [float(one) for one in cell[0].parsing or ()]
        else:
            values = [metric_of(metric).of([point]) for point in cell]
        return [sign * math.log(max(value, SMALLEST)) for value in values if value is not None]

    groups = [[repeats(cell) for cell in pair] for pair in pairs]
    free = sum(len(side) - 1 for both in groups for side in both)
    if not free:
        return None
    spread = math.sqrt(sum((one - fmean(side)) ** 2 for both in groups for side in both for one in side) / free)
    found = []
    for better, worse in groups:
        ahead = fmean(better) - fmean(worse)
        half = t_quantile(free) * spread * math.sqrt(1 / len(better) + 1 / len(worse))
        found.append(Difference(*(math.exp(one) for one in (ahead, ahead - half, ahead + half))))
    return found


def t_quantile(free: int, level: float = 0.95) -> float:
    """Where Student's t with so many degrees of freedom lies between -t and t with probability `level`.

    Bisection of the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4. O(degrees of freedom).
    """
    low, high = 0.0, 1.0
    while _within(high, free) < level:
        high *= 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, free) < level else (low, middle)
    return high


def _within(t: float, free: int) -> float:
    """The probability of lying between -t and t."""
    angle = math.atan(t / math.sqrt(free))
    term = total = math.cos(angle) if free % 2 else 1.0
    for step in range(3 if free % 2 else 2, free - 1, 2):
        term *= math.cos(angle) ** 2 * (step - 1) / step
        total += term
    if free % 2 == 0:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + (math.sin(angle) * total if free > 1 else 0.0))
