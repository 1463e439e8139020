"""Ratios of costs between two parsers, with intervals from the spread of repeats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from headway.lab.differences import Pair
from headway.lab.metrics import metric_of
from headway.lab.results import Cell

SMALLEST = 0.005
"""Costs are at least this, as a journal rounds them to hundredths."""
SPEED = "parsing words/s"


class Ratio(NamedTuple):
    """How many times better one side is on a treebank, and the ends of a 95 % interval."""

    treebank: str
    times: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.treebank} {_shown(self.times)} ({_shown(self.low)} to {_shown(self.high)})"


def _shown(times: float) -> str:
    """A ratio with three figures or more."""
    return f"{times:,.0f}" if times >= 100 else f"{times:.3g}"


def ratios(metric: str, pairs: Sequence[Pair]) -> list[Ratio] | None:
    """The ratio on each treebank; None where nothing was measured twice.

    Logarithms of repeats are taken as normal with the same variance on all treebanks and on both sides, so that it is
    estimated from all of them; that of a difference of means then gives the interval by Student's t.
    """
    sign = -1 if metric_of(metric).lower else 1
    groups = [
        [[sign * math.log(max(one, SMALLEST)) for one in repeats(metric, cell)] for cell in pair[1:]] for pair in pairs
    ]
    free = sum(len(side) - 1 for both in groups for side in both)
    if not free:
        return None
    spread = math.sqrt(sum((one - _mean(side)) ** 2 for both in groups for side in both for one in side) / free)
    found = []
    for pair, (better, worse) in zip(pairs, groups, strict=True):
        ahead = _mean(better) - _mean(worse)
        half = t_quantile(free) * spread * math.sqrt(1 / len(better) + 1 / len(worse))
        found.append(Ratio(pair.treebank, *(math.exp(one) for one in (ahead, ahead - half, ahead + half))))
    return found


def repeats(metric: str, cell: Cell) -> list[float]:
    """What a cost came to in every process: one for each seed. With one seed, what each run of the parser came to."""
    if metric == SPEED and len(cell) == 1:
        return [float(one) for one in cell[0].parsing or ()]
    values = [metric_of(metric).value([point]) for point in cell]
    return [value for value in values if value is not None]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


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
