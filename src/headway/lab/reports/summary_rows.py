"""The rows below a table: mean ranks of configurations, exponents of growth; and the ranks in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from headway.lab.metrics import metric_of
from headway.show.reports.page import NOTHING

Numbers = Sequence[float | None]


def ranked(numbers: Numbers, groups: Sequence[tuple[str, object]]) -> list[float | None]:
    """The rank of each number among those of its group, 1 for the best; the same number has the mean of its ranks.

    A group is a metric and a place on the axis. None for all of a group where one of its numbers is missing.
    """
    found: list[float | None] = [None] * len(numbers)
    for group in dict.fromkeys(groups):
        places = [at for at, other in enumerate(groups) if other == group]
        values = [number for at in places if (number := numbers[at]) is not None]
        if len(values) == len(places):
            sign = 1 if metric_of(group[0]).lower else -1
            ordered = sorted(sign * value for value in values)
            for at, value in zip(places, values, strict=True):
                found[at] = ordered.index(sign * value) + (1 + ordered.count(sign * value)) / 2
    return found


def with_rank(text: str, rank: float | None) -> str:
    """A cell with its rank behind it.

    >>> with_rank("85.30", 2.0)
    '85.30 (2)'
    """
    return text if rank is None else f"{text} ({rank:g})"


def last_row(name: str, texts: Iterable[str]) -> list[tuple[str, ...]]:
    """A row below a table, unless nothing is in it."""
    row = (name, *texts)
    return [row] if {*row[1:]} - {NOTHING} else []


def mean_ranks(rows: Sequence[Numbers]) -> list[tuple[str, ...]]:
    """A row of mean ranks, over the treebanks on which all of a group are measured."""
    known = ([rank for rank in column if rank is not None] for column in zip(*rows, strict=True))
    return last_row("mean rank", (f"{sum(one) / len(one):.2f}" if one else NOTHING for one in known))


class Growth(NamedTuple):
    """y grows as x^exponent; with the standard error of the exponent."""

    exponent: float
    error: float

    def __str__(self) -> str:
        return f"{self.exponent:.2f} ± {self.error:.2f}"


def growth(points: Iterable[tuple[float, float]]) -> Growth | None:
    """Least squares over the logarithms; None for fewer than three points above 0, or where all x are the same.

    >>> print(growth([(1, 3), (2, 12), (4, 48)]))
    2.00 ± 0.00
    """
    pairs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(pairs) < 3 or len({x for x, _ in pairs}) == 1:
        return None
    x, y = np.array(pairs).T
    centred = x - x.mean()
    spread = float(centred @ centred)
    exponent = float(centred @ y) / spread
    residuals = y - (y.mean() - exponent * x.mean()) - exponent * x
    return Growth(exponent, math.sqrt(float(residuals @ residuals) / max(1, len(pairs) - 2) / spread))
